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

// Flags that may stand before the command, and take a value.
constexpr std::string_view kLeading = "--kubeconfig|--context|--namespace|-n";

// In fish: where a word may come, and none is there.
constexpr std::string_view kNoWord = "\"\"";

// What follows a command, or a verb of one.
std::string bash_case(const CompletedCommand& command, const std::string& indent) {
  std::string text = fmt::format("{}{}) flags='{}'; words='{}'; files={}\n{}  case $previous in\n",
                                 indent, command.name, joined(flag_names(command)),
                                 joined(command.arguments), command.files ? 1 : 0, indent);
  for (const auto& flag : command.flags)
    if (flag.takes_value)
      text += fmt::format("{}    {}) flags=''; words='{}'; files={} ;;\n", indent,
                          joined(flag.names, "|"), joined(flag.words), flag.files ? 1 : 0);
  return text + indent + "  esac ;;\n";
}

std::string bash_group(const CompletedCommand& command) {
  std::string text = fmt::format(
      "    {}) words='{}'\n      if [ \"$COMP_CWORD\" -gt $((at + 1)) ]; then words=''; case "
      "${{COMP_WORDS[at+1]}} in\n",
      command.name, joined(verb_names(command)));
  for (const auto& verb : command.verbs) text += bash_case(verb, "        ");
  return text + "      esac; fi ;;\n";
}

std::string bash(const std::vector<CompletedCommand>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const auto& command : commands) {
    names.push_back(command.name);
    cases += command.verbs.empty() ? bash_case(command, "    ") : bash_group(command);
  }
  return fmt::format(R"(# slipway completion for bash: source <(slipway completion bash)
_slipway() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous='' flags='' words='' files=0 at=1
  previous=${{COMP_WORDS[COMP_CWORD-1]}}
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case ${{COMP_WORDS[at]}} in
      {0}) at=$((at + 2)) ;;
      -*) at=$((at + 1)) ;;
      *) break ;;
    esac
  done
  if [ "$COMP_CWORD" -lt "$at" ]; then
    [ "$previous" != --kubeconfig ] || COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq "$at" ]; then
    COMPREPLY=($(compgen -W '{1}' -- "$current"))
    return
  fi
  case ${{COMP_WORDS[at]}} in
{2}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [ $files -eq 0 ] || COMPREPLY+=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _slipway slipway
)",
                     kLeading, joined(names), cases);
}

std::string zsh_case(const CompletedCommand& command) {
  std::string text = fmt::format("    {}) case $words[CURRENT-1] in\n", command.name);
  for (const auto& flag : command.flags)
    if (flag.takes_value)
      text += fmt::format("        {}) {} ;;\n", joined(flag.names, "|"),
                          flag.files ? "_files" : "compadd -- " + joined(flag.words));
  return text + fmt::format("        *) compadd -- {} {}{} ;;\n      esac ;;\n",
                            joined(flag_names(command)), joined(command.arguments),
                            command.files ? "; _files" : "");
}

std::string zsh_group(const CompletedCommand& command) {
  std::string text = fmt::format(
      "    {}) if (( CURRENT == at + 1 )); then compadd -- {}; else case $words[at+1] in\n",
      command.name, joined(verb_names(command)));
  for (const auto& verb : command.verbs) text += zsh_case(verb);
  return text + "    esac; fi ;;\n";
}

std::string zsh(const std::vector<CompletedCommand>& commands) {
  std::string names, cases;
  for (const auto& command : commands) {
    names += fmt::format("    {}\n", quoted(command.name + ":" + command.help));
    cases += command.verbs.empty() ? zsh_case(command) : zsh_group(command);
  }
  return fmt::format(R"(#compdef slipway
# slipway completion for zsh: source <(slipway completion zsh)
_slipway() {{
  local -a commands
  commands=(
{1}  )
  local -i at=2
  while (( at < CURRENT )); do
    case $words[at] in
      {0}) (( at += 2 )) ;;
      -*) (( at += 1 )) ;;
      *) break ;;
    esac
  done
  if (( CURRENT < at )); then
    [[ $words[CURRENT-1] != --kubeconfig ]] || _files
    return
  fi
  if (( CURRENT == at )); then
    _describe command commands
    return
  fi
  case $words[at] in
{2}  esac
}}
compdef _slipway slipway
)",
                     kLeading, names, cases);
}

std::string fish_flag(const CompletedFlag& flag) {
  std::string line;
  for (const auto& name : flag.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (flag.files) return line + " -r -F";
  if (!flag.words.empty()) return line + " -x -a " + quoted(joined(flag.words));
  return flag.takes_value ? line + " -x" : line;
}

// A verb is told with its command: the same word may be a command, too.
std::string fish_condition(std::string_view group, std::string_view name) {
  return fmt::format("'__slipway_at {}{}{}'", group, group.empty() ? "" : " ", name);
}

std::string fish_lines(const CompletedCommand& command, const std::string& group) {
  std::string lines;
  const std::string here = fish_condition(group, command.name);
  for (const auto& flag : command.flags)
    lines += fmt::format("complete -c slipway -n {}{}\n", here, fish_flag(flag));
  if (!command.arguments.empty())
    lines +=
        fmt::format("complete -c slipway -n {} -a {}\n", here, quoted(joined(command.arguments)));
  if (command.files) lines += fmt::format("complete -c slipway -n {} -F\n", here);
  for (const auto& verb : command.verbs) {
    lines += fmt::format("complete -c slipway -n {} -a {} -d {}\n",
                         fish_condition(command.name, kNoWord), verb.name, quoted(verb.help));
    lines += fish_lines(verb, command.name);
  }
  return lines;
}

std::string fish(const std::vector<CompletedCommand>& commands) {
  const std::string here = fish_condition("", kNoWord);
  std::string lines = fmt::format(R"(# slipway completion for fish: slipway completion fish | source
# Whether these words follow the flags before the command; an empty one: none has followed yet.
function __slipway_at
  set -l line (commandline -opc)
  set -l at 2
  while test $at -le (count $line); and string match -q -- '-*' $line[$at]
    string match -qr -- '^({0})$' $line[$at]; and set at (math $at + 1)
    set at (math $at + 1)
  end
  for wanted in $argv
    set -l word
    test $at -le (count $line); and set word $line[$at]
    test "$word" = "$wanted"; or return 1
    set at (math $at + 1)
  end
  return 0
end
complete -c slipway -f
complete -c slipway -n {1} -l kubeconfig -r -F
complete -c slipway -n {1} -l context -x
complete -c slipway -n {1} -l namespace -s n -x
)",
                                  kLeading, here);
  for (const auto& command : commands) {
    lines += fmt::format("complete -c slipway -n {} -a {} -d {}\n", here, command.name,
                         quoted(command.help));
    lines += fish_lines(command, "");
  }
  return lines;
}

}  // namespace

Result<std::string> completion_script(std::string_view shell,
                                      const std::vector<CompletedCommand>& commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not a shell known here; write bash, zsh or fish", shell));
}

}  // namespace slipway::cli
