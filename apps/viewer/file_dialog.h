// A list of folders and scenes, and a field to type a path into.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "items.h"

namespace firn::viewer {

class FileDialog {
 public:
  // `chosen` is called with the path; for saving any name will do.
  void open(const std::string& title, const std::filesystem::path& start, bool saving,
            std::function<void(const std::filesystem::path&)> chosen);
  void draw(Items& items);
  bool is_open() const { return open_; }

 private:
  struct Entry {
    std::string name;
    bool folder = false, run = false;
  };
  void list();
  void go_to(const std::filesystem::path& folder);
  void accept();

  bool open_ = false, opening_ = false, saving_ = false;
  std::string title_, typed_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::function<void(const std::filesystem::path&)> chosen_;
};

}  // namespace firn::viewer
