// Text, words out of a list, types, and names that a file gives itself.
#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

bool is_identifier(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && text.size() <= 40 && letter(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

void ObjectReader::text(const char* name, std::string& value, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (json->is_string())
    value = json->get<std::string>();
  else
    context_.add_error(child(name), expected("a string", *json));
}

void ObjectReader::hint(const char* name, const char* meaning) {
  std::string unused;
  text(name, unused, meaning);
}

std::optional<std::size_t> ObjectReader::find_word(const char* name,
                                                   const std::vector<std::string>& names) {
  const Json* json = find(name);
  if (json == nullptr) return std::nullopt;
  if (!json->is_string()) {
    context_.add_error(child(name), expected("a string", *json));
    return std::nullopt;
  }
  const std::string& word = json->get_ref<const std::string&>();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string none = names.empty() ? "; there are none here" : suggestion(word, names);
  context_.add_error(child(name), std::string("no ") + name + " " + in_quotes(word) + none);
  return std::nullopt;
}

std::optional<int> ObjectReader::take_type(const Json& word, const std::string& pointer,
                                           const char* name, const TypedInfo& info) {
  if (!word.is_string()) {
    const char* what = pointer == child(name) ? "a word or an object" : "a string";
    context_.add_error(pointer, expected(what, word));
    return std::nullopt;
  }
  const std::string& text = word.get_ref<const std::string&>();
  const auto found = std::find(info.names.begin(), info.names.end(), text);
  if (found != info.names.end()) return static_cast<int>(found - info.names.begin());
  const bool comes = std::find(info.coming.begin(), info.coming.end(), text) != info.coming.end();
  const std::string which = std::string(name) + " " + in_quotes(text);
  context_.add_error(pointer,
                     comes ? which + " is not available in this version" + choices(info.names)
                           : "no " + which + suggestion(text, info.names));
  return std::nullopt;
}

std::optional<int> ObjectReader::find_alternative(const char* name, const AlternativesInfo& info) {
  const Json* json = find(name);
  if (json != nullptr && json->is_string()) {
    for (const Alias& alias : info.aliases) {
      if (json->get_ref<const std::string&>() != alias.name) continue;
      if (context_.dimension == alias.dimension) return alias.index;
      context_.add_error(child(name),
                         in_quotes(alias.name) + " is for " + std::to_string(alias.dimension) +
                             "D scenes; did you mean " + in_quotes(info.names[alias.index]) + "?");
      return std::nullopt;
    }
  }
  const auto found = find_word(name, info.names);
  return found ? std::optional<int>(static_cast<int>(*found)) : std::nullopt;
}

std::vector<std::string> ObjectReader::with_own_names(std::vector<std::string> names,
                                                      const char* own) const {
  if (own == nullptr) return names;
  const auto found = context_.dictionary_keys.find(own);
  if (found != context_.dictionary_keys.end())
    names.insert(names.end(), found->second.begin(), found->second.end());
  return names;
}

void ObjectReader::words(const char* name, std::vector<std::string>& value,
                         const std::vector<std::string>& fixed_names, const char*,
                         const char* own) {
  const std::vector<std::string> names = with_own_names(fixed_names, own);
  const Json* json = find(name);
  if (json == nullptr || !check_list(*json, child(name), {})) return;
  value.clear();
  for (std::size_t i = 0; i < json->size(); ++i) {
    const std::string pointer = child(name) + "/" + std::to_string(i);
    if (!(*json)[i].is_string()) {
      context_.add_error(pointer, expected("a string", (*json)[i]));
      continue;
    }
    const std::string& word = (*json)[i].get_ref<const std::string&>();
    if (std::find(names.begin(), names.end(), word) == names.end())
      context_.add_error(pointer, "no field " + in_quotes(word) + suggestion(word, names));
    else if (std::find(value.begin(), value.end(), word) != value.end())
      context_.add_error(pointer, in_quotes(word) + " is given twice");
    else
      value.push_back(word);
  }
}

void ObjectReader::reference(const char* name, int& index, const char* dictionary, const char*) {
  index = -1;
  const auto found = find_word(name, context_.dictionary_keys[dictionary]);
  if (found) index = static_cast<int>(*found);
}

void ObjectReader::names(const char* name, std::vector<std::string>& value, std::size_t max,
                         const char*) {
  const Json* json = find(name);
  if (json == nullptr || !check_list(*json, child(name), {})) return;
  if (json->size() > max)
    return context_.add_error(child(name), "may have at most " + std::to_string(max) +
                                               " entries, found " + std::to_string(json->size()));
  value.clear();
  for (std::size_t i = 0; i < json->size(); ++i) {
    const std::string pointer = child(name) + "/" + std::to_string(i);
    const Json& entry = (*json)[i];
    if (!entry.is_string() || !is_identifier(entry.get_ref<const std::string&>()))
      context_.add_error(pointer, expected("a name of letters, digits and _", entry));
    else if (std::find(value.begin(), value.end(), entry.get<std::string>()) != value.end())
      context_.add_error(pointer, in_quotes(entry.get<std::string>()) + " is given twice");
    else
      value.push_back(entry.get<std::string>());
  }
  context_.dictionary_keys[name] = value;
}

}  // namespace firn
