#include "lang/template/node.h"

#include <algorithm>

#include "lang/template/quote.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

void write(std::string& out, const Node& node);

void write_in_parens(std::string& out, const Node& node) {
  const bool parens = node.kind == NodeKind::kPipe;
  if (parens) out += '(';
  write(out, node);
  if (parens) out += ')';
}

void write_pipe(std::string& out, const Node& pipe) {
  for (std::size_t i = 0; i < pipe.declares.size(); ++i) {
    if (i > 0) out += ", ";
    out += pipe.declares[i];
  }
  if (!pipe.declares.empty()) out += pipe.assigns ? " = " : " := ";
  for (std::size_t i = 0; i < pipe.children.size(); ++i) {
    if (i > 0) out += " | ";
    write(out, *pipe.children[i]);
  }
}

void write_branch(std::string& out, std::string_view keyword, const Node& node) {
  out.append("{{").append(keyword).append(" ");
  write(out, *node.pipe);
  out += "}}";
  write(out, *node.list);
  if (node.else_list) {
    out += "{{else}}";
    write(out, *node.else_list);
  }
  out += "{{end}}";
}

void write_names(std::string& out, const Node& node, bool dot_first) {
  for (const auto& name : node.names) {
    if (dot_first) out += '.';
    out += name;
    dot_first = true;
  }
}

void write_template(std::string& out, const Node& node) {
  out.append("{{template ").append(quote(node.text));
  if (node.pipe) {
    out += ' ';
    write(out, *node.pipe);
  }
  out += "}}";
}

void write_command(std::string& out, const Node& node) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += ' ';
    write_in_parens(out, *node.children[i]);
  }
}

void write(std::string& out, const Node& node) {
  switch (node.kind) {
    case NodeKind::kAction:
      out += "{{";
      write(out, *node.pipe);
      out += "}}";
      return;
    case NodeKind::kIf:
      return write_branch(out, "if", node);
    case NodeKind::kWith:
      return write_branch(out, "with", node);
    case NodeKind::kRange:
      return write_branch(out, "range", node);
    case NodeKind::kTemplate:
      return write_template(out, node);
    case NodeKind::kBreak:
      out += "{{break}}";
      return;
    case NodeKind::kContinue:
      out += "{{continue}}";
      return;
    case NodeKind::kList:
      for (const auto& child : node.children) write(out, *child);
      return;
    case NodeKind::kPipe:
      return write_pipe(out, node);
    case NodeKind::kCommand:
      return write_command(out, node);
    case NodeKind::kVariable:
      return write_names(out, node, false);
    case NodeKind::kField:
      return write_names(out, node, true);
    case NodeKind::kChain:
      write_in_parens(out, *node.children[0]);
      return write_names(out, node, true);
    case NodeKind::kDot:
      out += '.';
      return;
    case NodeKind::kNil:
      out += "nil";
      return;
    case NodeKind::kBool:
      out += node.truth ? "true" : "false";
      return;
    case NodeKind::kString:
      out += node.quoted;
      return;
    case NodeKind::kEnd:
      out += "{{end}}";
      return;
    case NodeKind::kElse:
      out += "{{else}}";
      return;
    case NodeKind::kText:
    case NodeKind::kIdentifier:
    case NodeKind::kNumber:
      out += node.text;
      return;
  }
}

}  // namespace

std::string to_text(const Node& node) {
  std::string out;
  write(out, node);
  return out;
}

bool is_empty(const Node& list) {
  return std::ranges::all_of(list.children, [](const NodePtr& node) {
    return node->kind == NodeKind::kText && trim_space(node->text).empty();
  });
}

}  // namespace slipway::lang::go
