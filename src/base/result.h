// Result: a value or a list of errors, each one clear line for the user.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace firn {

using Errors = std::vector<std::string>;

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Errors errors) : content_(std::move(errors)) {}
  static Result failure(std::string line) { return Result(Errors{std::move(line)}); }

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(content_); }
  const T& value() const { return std::get<0>(content_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Errors& errors() const { return std::get<1>(content_); }

 private:
  std::variant<T, Errors> content_;
};

}  // namespace firn
