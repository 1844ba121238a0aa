#include "cli/completion.h"

#include <fmt/format.h>

namespace slipway::cli {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::vector<std::string> flag_names(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const auto& flag : command.flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::vector<std::string> verb_names(const CompletedCommand& command) {
  std::vector<std::string> names;
  names.reserve(command.verbs.size());
  for (const auto& verb : command.verbs) names.push_back(verb.name);
  return names;
}

// Flags that may stand before a command or a verb, and take a value.
constexpr std::string_view kLeading = "--kubeconfig|--context|--namespace|-n";

// In fish: where a word may come, and none is there.
constexpr std::string_view kNoWord = "\"\"";

std::string bash_case(const CompletedCommand& command, const std::string& indent);

// One of the commands of `group` follows, or its flags before that.
std::string bash_group(const CompletedCommand& group, const std::string& indent) {
  std::string text = fmt::format(
      "{0}_slipway_pass_flags\n{0}if [ \"$at\" -ge \"$COMP_CWORD\" ]; then\n{0}  "
      "flags='{1}'; words='{2}'\n{0}  case $before in\n",
      indent, joined(flag_names(group)), joined(verb_names(group)));
  for (const auto& flag : group.flags)
    if (flag.takes_value)
      text += fmt::format("{}    {}) flags=''; words=''; files={} ;;\n", indent,
                          joined(flag.names, "|"), flag.files ? 1 : 0);
  text += fmt::format("{0}  esac\n{0}else case ${{COMP_WORDS[at]}} in\n", indent);
  for (const auto& verb : group.verbs) text += bash_case(verb, indent + "  ");
  return text + indent + "esac; fi";
}

// What follows a command.
std::string bash_case(const CompletedCommand& command, const std::string& indent) {
  if (!command.verbs.empty())
    return fmt::format("{0}{1}) at=$((at + 1))\n{2} ;;\n", indent, command.name,
                       bash_group(command, indent + "  "));
  std::string text = fmt::format(
      "{0}{1}) flags='{2}'; words='{3}'; files={4}\n{0}  case $before in\n", indent, command.name,
      joined(flag_names(command)), joined(command.arguments), command.files ? 1 : 0);
  for (const auto& flag : command.flags)
    if (flag.takes_value)
      text += fmt::format("{}    {}) flags=''; words='{}'; files={} ;;\n", indent,
                          joined(flag.names, "|"), joined(flag.words), flag.files ? 1 : 0);
  return text + indent + "  esac ;;\n";
}

std::string bash(const CompletedCommand& program) {
  return fmt::format(R"(# slipway completion for bash: source <(slipway completion bash)
# From word $at on, to the first that is neither a flag nor the value of one.
_slipway_pass_flags() {{
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case ${{COMP_WORDS[at]}} in
      {0}) at=$((at + 2)) ;;
      -*) at=$((at + 1)) ;;
      *) break ;;
    esac
  done
}}
_slipway() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} flags='' words='' files=0 at=1
{1}
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [ $files -eq 0 ] || COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _slipway slipway
)",
                     kLeading, bash_group(program, "  "));
}

std::string zsh_case(const CompletedCommand& command, const std::string& indent);

std::string zsh_values(const CompletedCommand& command, const std::string& indent) {
  std::string text = fmt::format("{}case $words[CURRENT-1] in\n", indent);
  for (const auto& flag : command.flags)
    if (flag.takes_value)
      text += fmt::format("{}  {}) {} ;;\n", indent, joined(flag.names, "|"),
                          flag.files ? "_files" : "compadd -- " + joined(flag.words));
  return text;
}

std::string zsh_group(const CompletedCommand& group, const std::string& indent) {
  std::string text =
      fmt::format("{0}_slipway_pass_flags\n{0}if (( CURRENT <= at )); then\n{1}{0}    *) verbs=(\n",
                  indent, zsh_values(group, indent + "  "));
  for (const auto& verb : group.verbs)
    text += fmt::format("{}    {}\n", indent, quoted(verb.name + ":" + verb.help));
  text += fmt::format(
      "{0}    ); _describe command verbs; [[ $PREFIX != -* ]] || compadd -- {1} ;;\n{0}  esac\n"
      "{0}else case $words[at] in\n",
      indent, joined(flag_names(group)));
  for (const auto& verb : group.verbs) text += zsh_case(verb, indent + "  ");
  return text + indent + "esac; fi";
}

std::string zsh_case(const CompletedCommand& command, const std::string& indent) {
  if (!command.verbs.empty())
    return fmt::format("{0}{1}) (( at += 1 ))\n{2} ;;\n", indent, command.name,
                       zsh_group(command, indent + "  "));
  return fmt::format("{0}{1})\n{2}{0}    *) compadd -- {3} {4}{5} ;;\n{0}  esac ;;\n", indent,
                     command.name, zsh_values(command, indent + "  "), joined(flag_names(command)),
                     joined(command.arguments), command.files ? "; _files" : "");
}

std::string zsh(const CompletedCommand& program) {
  return fmt::format(R"(#compdef slipway
# slipway completion for zsh: source <(slipway completion zsh)
# From word $at on, to the first that is neither a flag nor the value of one.
_slipway_pass_flags() {{
  while (( at < CURRENT )); do
    case $words[at] in
      {0}) (( at += 2 )) ;;
      -*) (( at += 1 )) ;;
      *) break ;;
    esac
  done
}}
_slipway() {{
  local -a verbs
  local -i at=2
{1}
}}
compdef _slipway slipway
)",
                     kLeading, zsh_group(program, "  "));
}

std::string fish_flag(const CompletedFlag& flag) {
  std::string line;
  for (const auto& name : flag.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (flag.files) return line + " -r -F";
  if (!flag.words.empty()) return line + " -x -a " + quoted(joined(flag.words));
  return flag.takes_value ? line + " -x" : line;
}

std::string fish_condition(std::string_view path, std::string_view next) {
  return fmt::format("'__slipway_at {}{}{}'", path, path.empty() || next.empty() ? "" : " ", next);
}

std::string fish_flags(const CompletedCommand& command, const std::string& here) {
  std::string lines;
  for (const auto& flag : command.flags)
    lines += fmt::format("complete -c slipway -n {}{}\n", here, fish_flag(flag));
  return lines;
}

// `path` leads to the command: "rollout promote"; empty for the program itself.
std::string fish_lines(const CompletedCommand& command, const std::string& path) {
  const std::string here = fish_condition(path, command.verbs.empty() ? "" : kNoWord);
  std::string lines = fish_flags(command, here);
  if (!command.arguments.empty())
    lines +=
        fmt::format("complete -c slipway -n {} -a {}\n", here, quoted(joined(command.arguments)));
  if (command.files) lines += fmt::format("complete -c slipway -n {} -F\n", here);
  for (const auto& verb : command.verbs) {
    lines +=
        fmt::format("complete -c slipway -n {} -a {} -d {}\n", here, verb.name, quoted(verb.help));
    lines += fish_lines(verb, path.empty() ? verb.name : path + " " + verb.name);
  }
  return lines;
}

std::string fish(const CompletedCommand& program) {
  return fmt::format(R"(# slipway completion for fish: slipway completion fish | source
# Whether these are the words of the line but for flags before each; an empty one: none has followed yet.
function __slipway_at
  set -l line (commandline -opc)
  set -l at 2
  for wanted in $argv
    while test $at -le (count $line); and string match -q -- '-*' $line[$at]
      string match -qr -- '^({0})$' $line[$at]; and set at (math $at + 1)
      set at (math $at + 1)
    end
    set -l word
    test $at -le (count $line); and set word $line[$at]
    test "$word" = "$wanted"; or return 1
    set at (math $at + 1)
  end
  return 0
end
complete -c slipway -f
)",
                     kLeading) +
         fish_lines(program, "");
}

}  // namespace

Result<std::string> completion_script(std::string_view shell, const CompletedCommand& program) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not a shell known here; write bash, zsh or fish", shell));
}

}  // namespace slipway::cli
