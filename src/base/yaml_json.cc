#include "base/yaml_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_parser.h"
#include "base/yaml_build.h"

namespace slipway::yaml {
namespace {

// Offsets that only grow, turned into lines and columns.
class LineCounter {
 public:
  LineCounter(std::string_view text, int first_line) : text_(text), line_(first_line) {}

  Position at(std::size_t offset) {
    for (; offset_ < offset; ++offset_) {
      if (text_[offset_] != '\n') continue;
      ++line_;
      line_start_ = offset_ + 1;
    }
    return {.line = line_, .column = static_cast<int>(offset - line_start_) + 1};
  }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t line_start_ = 0;
  int line_;
};

class PositionRecorder final : public json::PathObserver {
 public:
  // Offsets count from `start` of the lines' text.
  PositionRecorder(LineCounter& lines, std::size_t start) : lines_(lines), start_(start) {}

  void begin(std::size_t offset) {
    document_ = {};
    repeated_ = RepeatedKeys(&document_.duplicates);
    fields_ = {Positions::document_hash()};
    const Position position = lines_.at(start_ + offset);
    document_.line = position.line;
    document_.positions.add(fields_.back(), position);
  }

  void enter(const json::PathStep& step, std::size_t offset) override {
    const fmt::format_int index(step.index);
    const std::string_view name =
        step.in_array ? std::string_view(index.data(), index.size()) : step.key;
    fields_.push_back(Positions::child_hash(fields_.back(), name));
    document_.positions.add(fields_.back(), lines_.at(start_ + offset));
  }

  void leave() override { fields_.pop_back(); }

  void repeated(const json::PathStep& step) override {
    if (repeated_.wanted()) repeated_.add(path_of(step));
  }

  Document end(json::Value value) {
    document_.value = std::move(value);
    return std::move(document_);
  }

 private:
  static std::string path_of(const json::PathStep& step) {
    std::string path = step.parent ? path_of(*step.parent) : "";
    if (step.in_array) return path + fmt::format("[{}]", step.index);
    append_key(path, step.key);
    return path;
  }

  LineCounter& lines_;
  std::size_t start_;
  std::vector<Positions::FieldHash> fields_;
  Document document_;
  RepeatedKeys repeated_{&document_.duplicates};
};

// Where the opening brace stands, perhaps after a `---` line of its own.
std::size_t start_of_json(std::string_view text) {
  std::size_t start = 0;
  if (text.starts_with("---")) start = text.find('\n');
  start = text.find_first_not_of(" \t\r\n", start);
  if (start == std::string_view::npos || text[start] != '{') return std::string_view::npos;
  // Other keys than quoted ones are YAML's.
  const std::size_t inside = text.find_first_not_of(" \t\r\n", start + 1);
  const bool json = inside == std::string_view::npos || text[inside] == '"' || text[inside] == '}';
  return json ? start : std::string_view::npos;
}

}  // namespace

JsonAttempt read_json_documents(const Chunk& chunk, const json::ReadOptions& options) {
  JsonAttempt attempt;
  const std::size_t start = start_of_json(chunk.text);
  if (start == std::string_view::npos) return attempt;
  json::ReadOptions quiet = options;
  quiet.duplicates = nullptr;
  LineCounter lines(chunk.text, chunk.first_line);
  PositionRecorder recorder(lines, start);
  json::Parser parser(chunk.text.substr(start), quiet, &recorder);
  std::vector<Document> documents;
  while (!parser.at_end() && documents.size() <= kMaxDocuments) {
    json::Value value;
    recorder.begin(parser.offset());
    if (!parser.parse_value(value) || !value.is_object()) {
      attempt.stopped_at = position_of(chunk, start + parser.offset());
      attempt.message = parser.message().empty() ? "expected a JSON object" : parser.message();
      return attempt;
    }
    documents.push_back(recorder.end(std::move(value)));
  }
  attempt.documents = std::move(documents);
  return attempt;
}

}  // namespace slipway::yaml
