// PointTable: a particle frame as named columns, the form in which frames pass between files, the
// renderer and exporters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace firn {

// The order is that of Column::Values.
enum class ColumnType { float32, float64, int32, uint32, uint8 };

struct Column {
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                              std::vector<std::uint32_t>, std::vector<std::uint8_t>>;
  std::string name;
  Values values;

  ColumnType type() const { return static_cast<ColumnType>(values.index()); }
  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
  // Converted copy, whatever the stored type.
  template <class T>
  std::vector<T> as() const {
    return std::visit(
        [](const auto& v) {
          std::vector<T> out(v.size());
          for (std::size_t i = 0; i < v.size(); ++i) out[i] = static_cast<T>(v[i]);
          return out;
        },
        values);
  }
};

struct PointTable {
  std::size_t count = 0;
  std::vector<Column> columns;
  std::map<std::string, std::string> metadata;  // frame=12, time=0.4, ...

  const Column* find(std::string_view name) const {
    for (const Column& column : columns)
      if (column.name == name) return &column;
    return nullptr;
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }

  // The values of a column that is stored with exactly this type, or null.
  template <class T>
  const std::vector<T>* get(std::string_view name) const {
    const Column* column = find(name);
    return column ? std::get_if<std::vector<T>>(&column->values) : nullptr;
  }

  // Appends a column of `count` zeros and returns its values. The reference lives until the next
  // column is added: fill one column before adding another, or reserve `columns`.
  template <class T>
  std::vector<T>& add(std::string name) {
    columns.push_back({std::move(name), std::vector<T>(count)});
    return std::get<std::vector<T>>(columns.back().values);
  }

  // Converted copies; empty when there is no such column.
  template <class T>
  std::vector<T> as(std::string_view name) const {
    const Column* column = find(name);
    return column ? column->as<T>() : std::vector<T>{};
  }
  std::vector<float> as_float(std::string_view name) const { return as<float>(name); }
  std::vector<double> as_double(std::string_view name) const { return as<double>(name); }
};

}  // namespace firn
