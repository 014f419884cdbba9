// Keys of an object: which are known, needed, contradicting, or stand beside the object they
// belong to.
#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

constexpr std::size_t kMaxErrorLines = 100;

}  // namespace

void ReadContext::add_error(const std::string& pointer, const std::string& what) {
  if (++count_ <= kMaxErrorLines)
    errors_.push_back(label_ + ": " + (pointer.empty() ? "/" : pointer) + ": " + what);
}

Errors ReadContext::take_errors() {
  if (count_ > kMaxErrorLines)
    errors_.push_back(label_ + ": and " + std::to_string(count_ - kMaxErrorLines) + " more errors");
  return std::move(errors_);
}

std::string ObjectReader::found_text(const Json& json) {
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list of " + std::to_string(json.size());
  return json.dump();
}

std::string ObjectReader::expected(const char* what, const Json& found) {
  return std::string("expected ") + what + ", found " + found_text(found);
}

const Json* ObjectReader::find(const char* name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.push_back(name);
  const auto member = object_.find(name);
  return member == object_.end() || yields(name) ? nullptr : &*member;
}

const Json* ObjectReader::value_beside(const std::string& name) const {
  const auto object = beside_ == nullptr ? object_.end() : object_.find(beside_);
  if (object == object_.end() || !object->is_object()) return nullptr;
  const auto member = object->find(name);
  return member == object->end() ? nullptr : &*member;
}

bool ObjectReader::yields(const std::string& name) const {
  if (value_beside(name) == nullptr || context_.was_set(child(name))) return false;
  const std::string object = child(beside_);
  return context_.was_set(object) || context_.was_set(object + "/" + pointer_piece(name));
}

void ObjectReader::take_keys(const ObjectReader& here, const char* type, bool chosen) {
  for (const std::string& key : here.known_) {
    known_.push_back(key);
    if (!given(key) || here.yields(key)) continue;
    const Json *own = &object_[key], *other = here.value_beside(key);
    const std::string object = child(here.beside_);
    const std::string place = object + "/" + pointer_piece(key);
    const bool wins =
        context_.was_set(child(key)) && !context_.was_set(object) && !context_.was_set(place);
    if (!chosen)
      context_.add_error(child(key), std::string("belongs to the ") + here.beside_ + " " +
                                         in_quotes(type) + ", which this scene does not use");
    else if (other != nullptr && *other != *own && !wins)
      context_.add_error(child(key), "is " + found_text(*own) + ", but " + place + " is " +
                                         found_text(*other) + "; give one of them");
  }
}

void ObjectReader::reserved(const char* name, const char* problem) {
  if (find(name) != nullptr) context_.add_error(child(name), problem);
}

void ObjectReader::conflict(const char* a, const char* b) {
  if (given(a) && given(b))
    context_.add_error(pointer_, "give " + in_quotes(a) + " or " + in_quotes(b) + ", not both");
}

bool ObjectReader::check_list(const Json& json, const std::string& pointer, const ListInfo& info) {
  if (!json.is_array()) {
    context_.add_error(pointer, expected("a list", json));
    return false;
  }
  if (json.size() < info.min_size) context_.add_error(pointer, "is empty; give at least one");
  return true;
}

bool ObjectReader::check_dictionary(const Json& json, const std::string& pointer,
                                    const ListInfo& info) {
  if (!json.is_object()) {
    context_.add_error(pointer, expected("an object", json));
    return false;
  }
  if (json.size() < info.min_size) context_.add_error(pointer, "is empty; give at least one");
  if (json.contains("")) context_.add_error(pointer, "has an empty name");
  return true;
}

void ObjectReader::finish() {
  for (const std::string& name : required_)
    if (!given(name) && std::find(replaced_.begin(), replaced_.end(), name) == replaced_.end())
      context_.add_error(pointer_, "missing " + in_quotes(name));
  if (!keys_known_) return;
  for (const auto& [key, member] : object_.items())
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      context_.add_error(child(key), "unknown key" + suggestion(key, known_));
}

}  // namespace firn
