#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/yaml.h"
#include "base/yaml_build.h"
#include "base/yaml_json.h"

namespace slipway::yaml {
namespace {

std::unexpected<ReadFailure> failure(Position position, std::string message) {
  return std::unexpected(ReadFailure{ErrorCode::kBadRequest, std::move(message), position});
}

// Text that starts like JSON and is neither JSON nor YAML was meant as the one of which more lines
// could be read.
std::unexpected<Error> report(ReadFailure yaml, const JsonAttempt& json) {
  if (yaml.code == ErrorCode::kBadRequest && json.stopped_at.line >= yaml.position.line) {
    yaml.position = json.stopped_at;
    yaml.message = json.message;
  }
  return fail(yaml.code, fmt::format("line {}, column {}: {}", yaml.position.line,
                                     yaml.position.column, yaml.message));
}

// yaml-cpp reports a tab in the indentation by what it could not make of it.
bool has_tab_in_indentation(std::string_view text, int line) {
  for (; line > 0; --line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  const std::size_t indentation = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(0, indentation).find('\t') != std::string_view::npos;
}

// In the words of somebody who has to repair the text.
const std::pair<std::string_view, std::string_view> kExplanations[] = {
    {YAML::ErrorMsg::MAP_VALUE,
     "a ':' does not fit here; check the indentation, or quote the text"},
    {YAML::ErrorMsg::MAP_KEY, "a '?' does not fit here; check the indentation, or quote the text"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a list does not fit here; check the indentation"},
    {YAML::ErrorMsg::END_OF_MAP, "expected a key; check the indentation"},
    {YAML::ErrorMsg::END_OF_SEQ, "expected '-'; check the indentation"},
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "expected ',' or '}'"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "expected ',' or ']'"},
    {YAML::ErrorMsg::FLOW_END, "a closing bracket that nothing opened"},
    {YAML::ErrorMsg::EOF_IN_SCALAR, "a quote is never closed"},
    {YAML::ErrorMsg::DOC_IN_SCALAR, "a quote is not closed before the end of the document"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "a character that nothing may start with; quote the text"},
    {YAML::ErrorMsg::UNKNOWN_ANCHOR, "the alias names no anchor before it"},
};

std::string in_plain_words(const std::string& message) {
  for (const auto& [theirs, ours] : kExplanations) {
    if (message.starts_with(theirs)) return std::string(ours);
  }
  return message;
}

std::unexpected<ReadFailure> explain(const YAML::ParserException& problem, const Chunk& chunk) {
  if (problem.mark.is_null()) {
    return failure({chunk.first_line, 1}, in_plain_words(problem.msg));
  }
  const Position position{chunk.first_line + problem.mark.line, problem.mark.column + 1};
  if (has_tab_in_indentation(chunk.text, problem.mark.line)) {
    return failure({position.line, 1}, "a tab in the indentation; use spaces");
  }
  return failure(position, in_plain_words(problem.msg));
}

void parse_once(std::string text, DocumentBuilder& builder) {
  std::istringstream stream(std::move(text));
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(builder)) {
  }
}

// yaml-cpp takes the end of the text for a missing closing quote, unless an end marker follows. The
// marker needs a line end before it, and an added line end would change a block scalar: so a text
// without one, whose last character may open a quote, is read twice.
void parse(const Chunk& chunk, const json::ReadOptions& options, DocumentBuilder& builder) {
  std::string text(chunk.text);
  if (text.ends_with('\n')) return parse_once(text + "...\n", builder);
  if (text.ends_with('\'') || text.ends_with('"')) {
    std::size_t nodes = kMaxNodes;
    DocumentBuilder discarded(chunk, options, nodes);
    parse_once(text + "\n...\n", discarded);
  }
  parse_once(std::move(text), builder);
}

// Reads the one document of a chunk.
std::expected<Document, ReadFailure> read_chunk(const Chunk& chunk,
                                                const json::ReadOptions& options,
                                                std::size_t& nodes_left) {
  if (chunk.only_directives) {
    return failure({chunk.first_line, 1}, "expected '---' and a document after the directives");
  }
  if (const auto bad = find_bad_character(chunk.text)) {
    return failure(position_of(chunk, bad->offset), fmt::format("{} is not allowed", bad->what));
  }
  DocumentBuilder builder(chunk, options, nodes_left);
  try {
    parse(chunk, options, builder);
  } catch (const ReadFailure& stopped) {
    return std::unexpected(stopped);
  } catch (const YAML::ParserException& problem) {
    return explain(problem, chunk);
  } catch (const std::exception& problem) {
    return failure({chunk.first_line, 1}, problem.what());
  }
  return builder.take();
}

}  // namespace

Result<std::vector<Document>> read(std::string_view text, const json::ReadOptions& options) {
  if (text.size() > options.max_bytes) {
    return fail(ErrorCode::kTooLarge, fmt::format("the text has {} bytes; at most {} are allowed",
                                                  text.size(), options.max_bytes));
  }
  std::vector<Document> documents;
  std::size_t nodes_left = kMaxNodes;
  for (const Chunk& chunk : split_stream(text)) {
    auto as_json = read_json_documents(chunk, options);
    if (documents.size() > kMaxDocuments) {
      return fail(ErrorCode::kTooLarge, fmt::format("line {}, column 1: more than {} documents",
                                                    chunk.first_line, kMaxDocuments));
    }
    if (as_json.documents) {
      std::ranges::move(*as_json.documents, std::back_inserter(documents));
      continue;
    }
    auto document = read_chunk(chunk, options, nodes_left);
    if (!document) return report(std::move(document).error(), as_json);
    if (!document->value.is_null()) documents.push_back(*std::move(document));
  }
  return documents;
}

}  // namespace slipway::yaml
