// The README's commands, one after the other as they are printed.
#include <stdlib.h>

#include <regex>
#include <sstream>

#include "../opengl/driver.h"
#include "../unit/film_probe.h"
#include "program.h"

namespace firn::test {
namespace {

// What stands between `begin` and the end of the code there.
std::string code_after(const std::string& text, const std::string& begin) {
  const std::size_t start = text.find(begin);
  if (start == std::string::npos) return "";
  const std::size_t first = start + begin.size();
  return text.substr(first, text.find("\n```", first) - first + 1);
}

// The words of a line up to its comment.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word && word[0] != '#';) words.push_back(word);
  return words;
}

class Readme : public ProgramTest {
 protected:
  const std::string text_ = content(fs::path(FIRN_SOURCE_DIR) / "README.md");

  // A window on a display that nobody sees, for two seconds.
  Outcome view(const std::vector<std::string>& arguments) {
    std::string line = "cd " + path("").string() + " && XDG_CONFIG_HOME=" + path("").string() +
                       " xvfb-run -a -s '-screen 0 1280x800x24' sh -c '" FIRN_PROGRAM;
    for (const std::string& argument : arguments) line += " " + argument;
    line += " --close-after 2 > said 2>&1; echo $? > status' > /dev/null 2>&1";
    (void)system(line.c_str());
    return {atoi(content(path("status")).c_str()), "", content(path("said"))};
  }
};

TEST_F(Readme, CommandsWorkAsPrinted) {
  write("my.json", code_after(text_, "\n```json\n"));
  const std::vector<std::string> lines = lines_of(code_after(text_, "\n```\n```\n"));
  ASSERT_GE(lines.size(), 5u);
  const bool has_display =
      system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") == 0;
  int with_cuda = 0;
  for (const std::string& line : lines) {
    std::vector<std::string> words = words_of(line);
    ASSERT_GE(words.size(), 2u) << line;
    ASSERT_EQ(words[0], "build/firn") << line;
    words.erase(words.begin());
    if (words[0] == "view") {
      if (!has_display || !opengl_problem().empty()) continue;
      const Outcome shown = view(words);
      EXPECT_EQ(shown.status, 0) << line << "\n" << shown.err;
      continue;
    }
    // Small pictures take little time.
    if (words[0] == "render") words.insert(words.end(), {"--size", "160x90"});
    const Outcome outcome = firn(words);
    // Without a GPU one sentence says so; with one the line must work like the others.
    if (line.find("--device cuda") != std::string::npos) {
      ++with_cuda;
      if (outcome.status == 2 && outcome.err.starts_with("--device cuda:")) continue;
    }
    EXPECT_EQ(outcome.status, 0) << line << "\n" << outcome.err;
  }
  EXPECT_EQ(with_cuda, 1);
  EXPECT_TRUE(fs::exists(path("my.png")));
  EXPECT_GT(pictures_in(path("my.mp4")), 1);
}

// Commands in the text around: those that need nothing but a name.
TEST_F(Readme, CommandsInTheTextExist) {
  const std::regex command("`build/firn ([a-z]+)[^`]*`");
  int count = 0;
  for (std::sregex_iterator it(text_.begin(), text_.end(), command), end; it != end; ++it, ++count)
    EXPECT_EQ(firn({(*it)[1].str(), "--help"}).status, 0) << (*it)[0];
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace firn::test
