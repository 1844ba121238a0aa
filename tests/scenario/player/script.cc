#include "scenario/player/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace slipway::scenario {

namespace {

// Words between blanks; "several words" in quotes are one, and # begins a comment.
Result<std::vector<std::string>> split(std::string_view text) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ' || text[i] == '\t') {
      ++i;
      continue;
    }
    if (text[i] == '#') break;
    std::string word;
    for (bool quoted = false; i < text.size(); ++i) {
      if (text[i] == '"')
        quoted = !quoted;
      else if (!quoted && (text[i] == ' ' || text[i] == '\t'))
        break;
      else
        word += text[i];
      if (quoted && i + 1 == text.size()) return fail(ErrorCode::kInvalid, "a quote stays open");
    }
    words.push_back(std::move(word));
  }
  return words;
}

Result<Line> parse_line(std::string_view text, Duration before) {
  auto words = split(text);
  if (!words) return std::unexpected(std::move(words).error());
  Line line{.at = before};
  std::size_t first = 0;
  if (!words->empty() && words->front() == "at") {
    if (words->size() < 3) return fail(ErrorCode::kInvalid, "write `at 10m VERB …`");
    auto at = parse_duration((*words)[1]);
    if (!at) return std::unexpected(std::move(at).error());
    if (*at < before) return fail(ErrorCode::kInvalid, (*words)[1] + " is before the line above");
    line.at = *at;
    first = 2;
  }
  if (first < words->size()) line.verb = (*words)[first];
  for (std::size_t i = first + 1; i < words->size(); ++i)
    line.words.push_back(std::move((*words)[i]));
  return line;
}

}  // namespace

Result<Script> parse_script(std::string name, std::string_view text) {
  if (text.size() > kMaxScriptBytes) return fail(ErrorCode::kTooLarge, name + " is too long");
  Script script{.name = std::move(name)};
  std::istringstream lines{std::string(text)};
  std::string one;
  Duration now = {};
  for (int number = 1; std::getline(lines, one); ++number) {
    auto line = parse_line(one, now);
    if (!line)
      return fail(ErrorCode::kInvalid,
                  fmt::format("{}:{}: {}", script.name, number, line.error().text()));
    if (line->verb.empty()) continue;
    line->number = number;
    now = line->at;
    script.lines.push_back(std::move(*line));
  }
  return script;
}

Result<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return fail(ErrorCode::kInvalid, file.string() + " cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Result<Script> read_script(const std::filesystem::path& file) {
  auto text = read_text(file);
  if (!text) return std::unexpected(std::move(text).error());
  auto script = parse_script(file.stem().string(), *text);
  if (script) script->folder = file.parent_path();
  return script;
}

std::vector<std::filesystem::path> scripts_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".scenario") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace slipway::scenario
