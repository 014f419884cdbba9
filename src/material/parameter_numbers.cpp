#include "material/parameter_numbers.h"

namespace firn {
namespace {

struct ListNumbers {
  std::vector<ParameterNumber> list;

  void number(const char* name, double& value, const NumberInfo& info) {
    list.push_back({name, value, info});
  }
  void flag(const char*, bool&, const char*) {}
  template <class E, class Names>
  void choice(const char*, E&, const Names&, const char*) {}
};

}  // namespace

std::vector<ParameterNumber> parameter_numbers(const ModelParameters& parameters) {
  ModelParameters copy = parameters;
  ListNumbers numbers;
  visit_model(copy, [&](auto& p) { p.describe(numbers); });
  return std::move(numbers.list);
}

}  // namespace firn
