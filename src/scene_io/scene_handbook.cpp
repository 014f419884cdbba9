#include <algorithm>
#include <map>
#include <vector>

#include "scene_io/handbook_introduction.h"
#include "scene_io/handbook_table.h"
#include "scene_io/scene_description.h"
#include "scene_io/scene_schema.h"

namespace firn {
namespace {

constexpr const char* kTableHead =
    "| key | type | unit, range | default | meaning |\n|---|---|---|---|---|\n";

// Writes a section for each object that differs from those before it; the rest is links.
class Handbook {
 public:
  explicit Handbook(const Json& description) : description_(description) {}

  std::string text() {
    out_ = kHandbookIntroduction;
    write_section("The scene", description_, description_["description"]);
    for (const auto& [name, definition] : description_["$defs"].items())
      write_section(name, definition, "Shapes that others are made of.");
    return out_;
  }

 private:
  struct Pending {
    std::string heading;
    const Json* schema;
    std::string meaning;
  };

  void write_heading(const std::string& heading) {
    const auto depth = std::count(heading.begin(), heading.end(), ':');
    out_ += "\n" +
            std::string(static_cast<std::size_t>(std::min<std::ptrdiff_t>(depth + 2, 4)), '#') +
            " " + heading + "\n\n";
  }

  void write_section(const std::string& heading, const Json& schema, const std::string& meaning) {
    write_heading(heading);
    if (!meaning.empty()) out_ += sentence(meaning) + "\n\n";
    const std::string below = &schema == &description_ ? "" : heading + ": ";
    if (schema.contains("oneOf"))
      write_alternatives(heading, schema["oneOf"]);
    else
      write_table(below, schema, "");
  }

  static std::string sentence(std::string words) {
    if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words.ends_with('.') ? words : words + ".";
  }

  // The first key of each chooses among them.
  void write_alternatives(const std::string& heading, const Json& variants) {
    const auto first = variants[0]["properties"].begin();
    out_ += "`" + first.key() + "`: " + first.value().value("description", "") + ". One of\n";
    std::vector<Pending> own;
    for (const Json& variant : variants) {
      const Json& words = variant["properties"][first.key()]["enum"];
      const std::string place = heading + ": " + words[0].get<std::string>();
      const auto [known, is_new] = headings_.try_emplace(variant.dump(), place);
      out_ += "- " + link_to(word_list(words), known->second) + "\n";
      if (is_new) own.push_back({place, &variant, ""});
    }
    for (const Pending& variant : own) {
      write_heading(variant.heading);
      write_table(variant.heading + ": ", *variant.schema, first.key());
    }
  }

  // All keys but the one that chose this alternative; then the objects below them.
  void write_table(const std::string& below, const Json& schema, const std::string& chosen) {
    std::vector<Pending> pending;
    out_ += kTableHead;
    for (const auto& [key, member] : schema["properties"].items()) {
      if (key == chosen) continue;
      const std::string heading = below + key, meaning = member.value("description", "");
      out_ += table_row(key, member, needed_text(schema, key), [&](const Json& object) {
        return section_of(object, heading, meaning, pending);
      });
    }
    write_conflicts(schema);
    for (const Pending& section : pending)
      write_section(section.heading, *section.schema, section.meaning);
  }

  std::string section_of(const Json& object, const std::string& heading, const std::string& meaning,
                         std::vector<Pending>& pending) {
    if (object.contains("$ref")) {
      const std::string target = object["$ref"];
      return target.substr(target.rfind('/') + 1);
    }
    Json bare = object;
    bare.erase("description");
    const auto [known, is_new] = headings_.try_emplace(bare.dump(), heading);
    if (is_new) pending.push_back({heading, &object, meaning});
    return known->second;
  }

  // "required", with what may stand instead; "" for keys that may be left out.
  static std::string needed_text(const Json& schema, const std::string& key) {
    const auto has = [&](const Json& names) {
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    if (schema.contains("required") && has(schema["required"])) return "**required**";
    for (const Json& rule : schema.value("allOf", Json::array())) {
      if (!rule.contains("anyOf") || !has(rule["anyOf"][0]["required"])) continue;
      return "**required**, or " + joined(rule["anyOf"][1]["required"]);
    }
    return "";
  }

  void write_conflicts(const Json& schema) {
    std::string pairs;
    for (const Json& rule : schema.value("allOf", Json::array()))
      if (rule.contains("not"))
        pairs += (pairs.empty() ? "" : "; ") + joined(rule["not"]["required"]);
    if (!pairs.empty()) out_ += "\nNot together: " + pairs + ".\n";
  }

  static std::string joined(const Json& keys) {
    std::string text;
    for (const Json& key : keys)
      text += (text.empty() ? "`" : " and `") + key.get<std::string>() + "`";
    return text;
  }

  const Json& description_;
  std::map<std::string, std::string> headings_;  // of what has been written, by its schema
  std::string out_;
};

}  // namespace

std::string scene_handbook() {
  const Json description = scene_description();
  return Handbook(description).text();
}

}  // namespace firn
