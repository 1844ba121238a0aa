#pragma once

#include <yaml-cpp/eventhandler.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/repeated_keys.h"
#include "base/yaml.h"
#include "base/yaml_stream.h"

// Builds one document from the parser's events. Private to base/.
//
// Events instead of yaml-cpp's own node graph: depth and expansion are limited while the document
// is read, and styles and marks are still at hand.
namespace slipway::yaml {

// Thrown through yaml-cpp, which knows no other way to stop, and caught where it is called.
struct ReadFailure {
  ErrorCode code;
  std::string message;
  Position position;
};

class DocumentBuilder final : public YAML::EventHandler {
 public:
  DocumentBuilder(const Chunk& chunk, const json::ReadOptions& options, std::size_t& nodes_left);

  // What was read. Once.
  Document take() { return std::move(document_); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override;
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  // What a value costs to copy.
  struct Extent {
    std::size_t nodes = 0;
    std::size_t bytes = 0;
    std::size_t depth = 0;
  };
  struct Open {
    json::Value container;
    YAML::anchor_t anchor = 0;
    Positions::FieldHash field = 0;
    bool flow = false;
    Extent extent = {};
    // In a mapping: the key whose value comes next.
    bool has_key = false;
    bool is_merge = false;
    std::size_t key_offset = 0;
    Position key_position = {};
    std::string key = {};
    std::set<std::string> merged =
        {};  // keys that a merge brought: giving them again is no mistake
  };
  struct Anchored {
    json::Value value;
    Extent extent;
    Positions::FieldHash field = 0;
  };

  Position at(const YAML::Mark& mark) const;
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, json::Value container,
            YAML::EmitterStyle::value style);
  void close();
  bool wants_key() const;
  void take_key(const YAML::Mark& mark, const json::Value& scalar, bool is_merge);
  void take_value(json::Value value, YAML::anchor_t anchor, Extent extent);
  Positions::FieldHash next_field() const;
  void merge(Open& map, json::Value value);
  std::string current_path() const;
  // Refuses what yaml-cpp takes for an empty value although there is none.
  void check_empty_value(const YAML::Mark& mark) const;
  void spend_node(const YAML::Mark& mark);
  void spend_copy(Extent extent);
  [[noreturn]] void stop(Position position, std::string message,
                         ErrorCode code = ErrorCode::kBadRequest) const;

  const Chunk& chunk_;
  const json::ReadOptions& options_;
  std::size_t& nodes_left_;
  std::size_t bytes_left_ = kMaxExpandedBytes;
  int documents_ = 0;
  Position latest_;
  Document document_;
  RepeatedKeys repeated_{&document_.duplicates};
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Anchored> anchors_;
};

// "[key]" when the key has dots, slashes or brackets, else ".key".
void append_key(std::string& path, std::string_view key);

}  // namespace slipway::yaml
