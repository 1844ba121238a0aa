#include "metrics/xml.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/utf8.h"

namespace slipway::metrics {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class XmlParser {
 public:
  explicit XmlParser(std::string_view text) : all_(text), rest_(text) {}

  Result<XmlElement> document() {
    SLIPWAY_TRY(skip_prologue());
    auto root = element(0);
    if (!root) return root;
    SLIPWAY_TRY(skip_prologue());
    if (!rest_.empty()) return wrong("something follows the document");
    return root;
  }

 private:
  std::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::kInvalid,
                fmt::format("not XML at byte {}: {}", all_.size() - rest_.size(), why));
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  }

  Result<> skip_past(std::string_view mark) {
    std::size_t at = rest_.find(mark);
    if (at == std::string_view::npos) return wrong(fmt::format("{} is missing", mark));
    rest_.remove_prefix(at + mark.size());
    return {};
  }

  Result<> skip_prologue() {
    while (true) {
      skip_blanks();
      if (rest_.starts_with("<?")) {
        SLIPWAY_TRY(skip_past("?>"));
      } else if (rest_.starts_with("<!--")) {
        SLIPWAY_TRY(skip_past("-->"));
      } else {
        return {};
      }
    }
  }

  Result<XmlElement> element(std::size_t depth) {
    if (!rest_.starts_with('<')) return wrong("an element must begin with <");
    if (rest_.starts_with("<!")) return wrong("a document type is not accepted");
    if (depth >= kMaxXmlDepth) return wrong("too many elements inside each other");
    if (++elements_ > kMaxXmlElements) return wrong("too many elements");
    rest_.remove_prefix(1);
    std::size_t end = std::min(rest_.find_first_of(" \t\r\n/>"), rest_.size());
    XmlElement result{.name = std::string(rest_.substr(0, end))};
    if (result.name.empty()) return wrong("an element has no name");
    rest_.remove_prefix(end);
    auto empty = attributes();
    if (!empty) return fail(std::move(empty).error());
    if (!*empty) SLIPWAY_TRY(content(result, depth));
    return result;
  }

  // Up to and with the end of the tag; true when the element is empty ("/>").
  Result<bool> attributes() {
    while (true) {
      skip_blanks();
      if (rest_.starts_with("/>")) return rest_.remove_prefix(2), true;
      if (rest_.starts_with('>')) return rest_.remove_prefix(1), false;
      std::size_t equals = rest_.find_first_of("=<>");
      if (equals == std::string_view::npos || rest_[equals] != '=') return wrong("a tag is open");
      rest_.remove_prefix(equals + 1);
      skip_blanks();
      if (rest_.empty() || (rest_.front() != '"' && rest_.front() != '\'')) {
        return wrong("an attribute has no quotes");
      }
      std::string quote(1, rest_.front());
      rest_.remove_prefix(1);
      SLIPWAY_TRY(skip_past(quote));
    }
  }

  Result<> content(XmlElement& into, std::size_t depth) {
    while (!rest_.starts_with("</")) {
      if (rest_.empty()) return wrong(fmt::format("<{}> is not closed", into.name));
      if (rest_.starts_with("<!--")) {
        SLIPWAY_TRY(skip_past("-->"));
      } else if (rest_.starts_with("<![CDATA[")) {
        std::size_t end = rest_.find("]]>");
        if (end == std::string_view::npos) return wrong("CDATA is not closed");
        into.text += rest_.substr(9, end - 9);
        rest_.remove_prefix(end + 3);
      } else if (rest_.starts_with('<')) {
        auto child = element(depth + 1);
        if (!child) return fail(std::move(child).error());
        into.children.push_back(std::move(*child));
      } else {
        SLIPWAY_TRY(characters(into.text));
      }
    }
    rest_.remove_prefix(2);
    if (!rest_.starts_with(into.name)) return wrong(fmt::format("<{}> is not closed", into.name));
    rest_.remove_prefix(into.name.size());
    skip_blanks();
    if (!rest_.starts_with('>')) return wrong("a closing tag is open");
    rest_.remove_prefix(1);
    return {};
  }

  Result<> characters(std::string& into) {
    std::size_t end = std::min(rest_.find_first_of("<&"), rest_.size());
    into += rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (!rest_.starts_with('&')) return {};
    std::size_t semicolon = rest_.find(';');
    if (semicolon > 10) return wrong("& begins no character");
    auto decoded = entity(rest_.substr(1, semicolon - 1));
    if (!decoded) return wrong(fmt::format("{} is unknown", rest_.substr(0, semicolon + 1)));
    utf8::append(into, *decoded);
    rest_.remove_prefix(semicolon + 1);
    return {};
  }

  static std::optional<char32_t> entity(std::string_view name) {
    constexpr std::pair<std::string_view, char32_t> kNamed[] = {
        {"lt", U'<'}, {"gt", U'>'}, {"amp", U'&'}, {"quot", U'"'}, {"apos", U'\''}};
    for (const auto& [known, character] : kNamed) {
      if (name == known) return character;
    }
    if (!name.starts_with('#')) return std::nullopt;
    bool hex = name.starts_with("#x");
    name.remove_prefix(hex ? 2 : 1);
    std::uint32_t code = 0;
    auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return static_cast<char32_t>(code);
  }

  std::string_view all_;
  std::string_view rest_;
  std::size_t elements_ = 0;
};

}  // namespace

const XmlElement* XmlElement::find(std::string_view child) const {
  for (const XmlElement& candidate : children) {
    if (candidate.name == child) return &candidate;
  }
  return nullptr;
}

std::string_view XmlElement::text_of(std::string_view child) const {
  const XmlElement* found = find(child);
  return found ? std::string_view(found->text) : std::string_view();
}

Result<XmlElement> parse_xml(std::string_view text) { return XmlParser(text).document(); }

}  // namespace slipway::metrics
