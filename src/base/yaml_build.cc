#include "base/yaml_build.h"

#include <fmt/format.h>
#include <yaml-cpp/mark.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/yaml_cpp_quirks.h"
#include "base/yaml_scalar.h"

namespace slipway::yaml {
namespace {

// Templates of other programs are what people trip over here.
constexpr char kNoKey[] =
    "a key must be a plain value, not a list or mapping; text with {{…}} needs quotes";

using json::Value;

constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";

boost::json::string_view key_view(std::string_view text) { return {text.data(), text.size()}; }

std::size_t text_size(const Value& value) {
  const auto* text = value.if_string();
  return text ? text->size() : 0;
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (key.find_first_of("./[]") != std::string_view::npos) {
    path.append("[").append(key).append("]");
    return;
  }
  if (!path.empty()) path += '.';
  path.append(key);
}

DocumentBuilder::DocumentBuilder(const Chunk& chunk, const json::ReadOptions& options,
                                 std::size_t& nodes_left)
    : chunk_(chunk), options_(options), nodes_left_(nodes_left) {}

Position DocumentBuilder::at(const YAML::Mark& mark) const {
  return {.line = chunk_.first_line + mark.line, .column = mark.column + 1};
}

void DocumentBuilder::stop(Position position, std::string message, ErrorCode code) const {
  throw ReadFailure{code, std::move(message), position};
}

void DocumentBuilder::OnDocumentStart(const YAML::Mark& mark) {
  // yaml-cpp starts another document where anything is left over.
  if (++documents_ > 1) stop(at(mark), "expected the end of the document, found more content");
}

void DocumentBuilder::OnDocumentEnd() {}

void DocumentBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  spend_node(mark);
  if (wants_key()) return take_key(mark, nullptr, false);
  check_empty_value(mark);
  take_value(nullptr, anchor, {.nodes = 1});
}

void DocumentBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  spend_node(mark);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) stop(at(mark), "the anchor's value contains itself");
  const Anchored& source = found->second;
  if (wants_key()) return take_key(mark, source.value, false);
  if (stack_.size() + source.extent.depth > options_.max_depth) {
    stop(at(mark), fmt::format("nested more than {} levels deep", options_.max_depth));
  }
  spend_copy(source.extent);
  if (source.field != 0) document_.positions.add_alias(next_field(), source.field);
  take_value(source.value, 0, source.extent);
}

void DocumentBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag,
                               YAML::anchor_t anchor, const std::string& parsed) {
  spend_node(mark);
  const std::string text = with_kept_line_ends(chunk_.text, static_cast<std::size_t>(mark.pos),
                                               with_proper_escapes(parsed));
  // yaml-cpp's tags for untagged scalars: "!" quoted, "?" plain.
  const bool plain = tag == "?" || tag.empty();
  auto value = plain        ? resolve_plain(text)
               : tag == "!" ? Result<Value>(Value(key_view(text)))
                            : resolve_tagged(tag, text);
  if (!value) stop(at(mark), value.error().message);
  if (wants_key()) {
    if (anchor != 0) anchors_[anchor] = {*value, {.nodes = 1, .bytes = text_size(*value)}};
    return take_key(mark, *value, text == "<<" && (plain || tag == kMergeTag));
  }
  if (value->is_double() && !std::isfinite(value->get_double()) && !options_.allow_nan) {
    stop(at(mark), fmt::format("{} is not allowed here; quote it if it is text", text));
  }
  const std::size_t bytes = text_size(*value);
  if (value->is_bool() || value->is_number())
    document_.positions.add_source_text(next_field(), text);
  take_value(*std::move(value), anchor, {.nodes = 1, .bytes = bytes});
}

void DocumentBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string&,
                                      YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  open(mark, anchor, json::Array(), style);
}

void DocumentBuilder::OnSequenceEnd() { close(); }

void DocumentBuilder::OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value style) {
  open(mark, anchor, json::Object(), style);
}

void DocumentBuilder::OnMapEnd() { close(); }

void DocumentBuilder::open(const YAML::Mark& mark, YAML::anchor_t anchor, Value container,
                           YAML::EmitterStyle::value style) {
  spend_node(mark);
  if (wants_key()) stop(at(mark), kNoKey);
  if (stack_.size() >= options_.max_depth) {
    stop(at(mark), fmt::format("nested more than {} levels deep", options_.max_depth));
  }
  const auto field = next_field();
  stack_.push_back({.container = std::move(container),
                    .anchor = anchor,
                    .field = field,
                    .flow = style == YAML::EmitterStyle::Flow});
}

void DocumentBuilder::close() {
  Open done = std::move(stack_.back());
  stack_.pop_back();
  done.extent.nodes += 1;
  done.extent.depth += 1;
  take_value(std::move(done.container), done.anchor, done.extent);
}

bool DocumentBuilder::wants_key() const {
  return !stack_.empty() && stack_.back().container.is_object() && !stack_.back().has_key;
}

void DocumentBuilder::take_key(const YAML::Mark& mark, const Value& scalar, bool is_merge) {
  Open& map = stack_.back();
  if (scalar.is_structured()) stop(at(mark), kNoKey);
  auto key = key_text(scalar);
  if (!key) stop(at(mark), key.error().message);
  map.has_key = true;
  map.is_merge = is_merge;
  map.key_offset = static_cast<std::size_t>(mark.pos);
  map.key_position = at(mark);
  map.key = *std::move(key);
  map.extent.bytes += map.key.size();
  if (is_merge) return;
  const bool repeated =
      map.container.get_object().contains(key_view(map.key)) && map.merged.erase(map.key) == 0;
  if (repeated && repeated_.wanted()) repeated_.add(current_path());
  document_.positions.add(next_field(), at(mark));
}

Positions::FieldHash DocumentBuilder::next_field() const {
  if (stack_.empty()) return Positions::document_hash();
  const Open& parent = stack_.back();
  if (parent.has_key) return Positions::child_hash(parent.field, parent.key);
  return Positions::child_hash(parent.field,
                               fmt::format_int(parent.container.get_array().size()).c_str());
}

void DocumentBuilder::take_value(Value value, YAML::anchor_t anchor, Extent extent) {
  if (anchor != 0) {
    spend_copy(extent);
    anchors_[anchor] = {value, extent, next_field()};
  }
  if (stack_.empty()) {
    document_.value = std::move(value);
    return;
  }
  Open& parent = stack_.back();
  parent.extent.nodes += extent.nodes;
  parent.extent.bytes += extent.bytes;
  parent.extent.depth = std::max(parent.extent.depth, extent.depth);
  if (auto* array = parent.container.if_array()) {
    array->push_back(std::move(value));
    return;
  }
  parent.has_key = false;
  if (parent.is_merge) return merge(parent, std::move(value));
  parent.container.get_object().insert_or_assign(key_view(parent.key), std::move(value));
}

// As go-yaml v2 does it: a merge replaces what was set before it and yields to what comes after.
// Of several maps the earlier ones win.
void DocumentBuilder::merge(Open& map, Value value) {
  json::Array maps;
  if (auto* list = value.if_array()) {
    maps = std::move(*list);
  } else {
    maps.push_back(std::move(value));
  }
  for (auto source = maps.rbegin(); source != maps.rend(); ++source) {
    const auto* object = source->if_object();
    if (!object) stop(latest_, "'<<' needs a mapping or a list of mappings");
    for (const auto& [key, member] : *object) {
      map.container.get_object().insert_or_assign(key, member);
      map.merged.insert(std::string(key.data(), key.size()));
    }
  }
}

void DocumentBuilder::check_empty_value(const YAML::Mark& mark) const {
  if (stack_.empty()) return;
  const Open& parent = stack_.back();
  const auto offset = static_cast<std::size_t>(mark.pos);
  const std::string_view rest = chunk_.text.substr(std::min(offset, chunk_.text.size()));
  if (parent.container.is_array() && parent.flow && rest.starts_with(',')) {
    stop(at(mark), "expected a value, found ','");
  }
  if (parent.has_key && !parent.flow &&
      is_key_without_colon(chunk_.text, parent.key_offset, parent.key)) {
    stop(parent.key_position, fmt::format("expected ':' after \"{}\"", parent.key));
  }
}

std::string DocumentBuilder::current_path() const {
  std::string path;
  for (const Open& open : stack_) {
    if (const auto* array = open.container.if_array()) {
      path += fmt::format("[{}]", array->size());
    } else {
      append_key(path, open.key);
    }
  }
  return path;
}

void DocumentBuilder::spend_node(const YAML::Mark& mark) {
  latest_ = at(mark);
  if (stack_.empty()) document_.line = latest_.line;
  if (stack_.empty() || stack_.back().container.is_array()) {
    document_.positions.add(next_field(), latest_);
  }
  spend_copy({.nodes = 1});
}

void DocumentBuilder::spend_copy(Extent extent) {
  if (extent.nodes > nodes_left_) {
    stop(latest_, fmt::format("the documents have more than {} values", kMaxNodes),
         ErrorCode::kTooLarge);
  }
  if (extent.bytes > bytes_left_) {
    stop(latest_, fmt::format("aliases expand to more than {} bytes", kMaxExpandedBytes),
         ErrorCode::kTooLarge);
  }
  nodes_left_ -= extent.nodes;
  bytes_left_ -= extent.bytes;
}

}  // namespace slipway::yaml
