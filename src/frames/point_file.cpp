#include "frames/point_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <new>
#include <optional>

#include "frames/ply.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/gltf_uri.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostColumns = 256;

Result<PointTable> failure(const std::string& name, const std::string& what) {
  return Result<PointTable>::failure(name + ": " + what);
}

Result<PointTable> failure_in_line(const std::string& name, std::size_t line,
                                   const std::string& what) {
  return failure(name, "line " + std::to_string(line) + ": " + what);
}

// x, y, z first, as finite doubles; then the other columns.
Result<PointTable> with_positions(PointTable table, const std::string& name) {
  if (table.count == 0) return failure(name, "there are no points");
  PointTable out;
  out.count = table.count;
  out.metadata = std::move(table.metadata);
  for (const char* axis : {"x", "y", "z"}) {
    std::vector<double> values = table.as_double(axis);
    if (values.empty() && std::string_view(axis) != "z")
      return failure(name, std::string("there is no column ") + axis);
    values.resize(table.count);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        return failure(name, "point " + std::to_string(i) + ": " + axis + " is not finite");
    out.columns.push_back({axis, std::move(values)});
  }
  for (Column& column : table.columns)
    if (column.name != "x" && column.name != "y" && column.name != "z")
      out.columns.push_back(std::move(column));
  return out;
}

Result<PointTable> parse_obj_points(std::string_view text, const std::string& name) {
  std::vector<double> axes[3];
  std::string_view line;
  for (std::size_t number = 1; take_line(text, line); ++number) {
    if (take_word(line) != "v") continue;
    for (std::vector<double>& axis : axes)
      if (!parse_number(take_word(line), axis.emplace_back()))
        return failure_in_line(name, number, "a vertex needs three numbers");
  }
  PointTable table;
  table.count = axes[0].size();
  table.columns = {{"x", axes[0]}, {"y", axes[1]}, {"z", axes[2]}};
  return with_positions(std::move(table), name);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
  const bool in_quotes = text.size() > 1 && text.starts_with('"') && text.ends_with('"');
  return in_quotes ? text.substr(1, text.size() - 2) : text;
}

class TableReader {
 public:
  // Nothing when all is well, else the line of the error.
  std::optional<Result<PointTable>> read(std::string_view text, const std::string& name) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    std::string_view line;
    for (std::size_t number = 1; take_line(text, line); ++number) {
      const std::string_view content = trimmed(line);
      if (content.empty() || content.starts_with('#')) continue;
      split(line);
      const std::string fault = columns_.empty() ? start() : add_row();
      if (!fault.empty()) return failure_in_line(name, number, fault);
    }
    return std::nullopt;
  }

  PointTable take() {
    PointTable table;
    if (!columns_.empty()) table.count = columns_[0].size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      table.columns.push_back({names_[i], std::move(columns_[i])});
    return table;
  }

 private:
  // The first line tells the separator.
  void split(std::string_view line) {
    if (columns_.empty())
      separator_ = line.find(';') != std::string_view::npos   ? ';'
                   : line.find(',') != std::string_view::npos ? ','
                                                              : ' ';
    words_.clear();
    if (separator_ == ' ') {
      for (auto word = take_word(line); !word.empty(); word = take_word(line))
        words_.push_back(word);
      return;
    }
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = line.find(separator_);
      words_.push_back(trimmed(line.substr(0, end)));
      line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    }
  }

  std::string start() {
    if (words_.size() > kMostColumns) return "more than 256 columns";
    double ignored = 0;
    const bool numbers = std::all_of(words_.begin(), words_.end(), [&](std::string_view word) {
      return parse_number(word, ignored);
    });
    if (numbers && words_.size() != 2 && words_.size() != 3)
      return "without a line of names a table has two or three columns";
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::string column = numbers ? std::string(1, "xyz"[i]) : std::string(words_[i]);
      if (column.size() == 1)
        column[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(column[0])));
      if (column.empty()) return "a column without a name";
      if (std::find(names_.begin(), names_.end(), column) != names_.end())
        return "two columns of the name " + quoted_text(column);
      names_.push_back(std::move(column));
    }
    columns_.resize(names_.size());
    return numbers ? add_row() : "";
  }

  std::string add_row() {
    if (words_.size() != columns_.size())
      return std::to_string(words_.size()) + " values in " + std::to_string(columns_.size()) +
             " columns";
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (!parse_number(words_[i], columns_[i].emplace_back()))
        return "not a number: " + quoted_text(words_[i]);
    return "";
  }

  char separator_ = ',';
  std::vector<std::string_view> words_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

Result<PointTable> parse_table(std::string_view text, const std::string& name) {
  TableReader reader;
  if (auto fault = reader.read(text, name)) return *fault;
  return with_positions(reader.take(), name);
}

Result<PointTable> parse_by_extension(std::string_view bytes, const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string name = path.string();
  if (extension == ".obj") return parse_obj_points(bytes, name);
  if (extension == ".csv" || extension == ".txt" || extension == ".xyz")
    return parse_table(bytes, name);
  if (extension != ".ply")
    return failure(name, "not a file of points by its name: .ply, .obj, .csv, .txt or .xyz");
  Result<PointTable> table = parse_ply_points(bytes, name);
  return table ? with_positions(std::move(*table), name) : table;
}

}  // namespace

Result<PointTable> parse_points(std::string_view bytes, const fs::path& path) {
  try {
    return parse_by_extension(bytes, path);
  } catch (const std::bad_alloc&) {
    return failure(path.string(), "not enough memory for the points");
  }
}

Result<PointTable> read_points(const fs::path& path) {
  const std::string fault = file_size_fault(path);
  if (!fault.empty()) return failure(path.string(), fault);
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.errors();
  return parse_points(*bytes, path);
}

}  // namespace firn
