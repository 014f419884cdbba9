// Base64 of a stream of bytes, a piece at a time.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace firn {

class Base64 {
 public:
  // Appends what is complete to the text; up to two bytes wait for more.
  void add(const void* data, std::size_t size);
  // Ends the stream, with padding.
  void end();

  const std::string& text() const { return text_; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  std::array<unsigned char, 3> waiting_{};
  std::size_t waiting_size_ = 0;
};

}  // namespace firn
