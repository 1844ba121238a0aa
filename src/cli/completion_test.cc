#include "cli/completion.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "base/scratch_testing.h"

namespace slipway::cli {
namespace {

const CompletedFlag kNamespace{.names = {"--namespace", "-n"}, .takes_value = true};
const CompletedFlag kKubeconfig{.names = {"--kubeconfig"}, .takes_value = true, .files = true};
const CompletedFlag kContext{.names = {"--context"}, .takes_value = true};

const CompletedCommand kProgram{
    .name = "slipway",
    .help = "all",
    .flags = {kNamespace, kKubeconfig, kContext, {.names = {"--version"}}},
    .verbs = {
        {.name = "get",
         .help = "show what's there",
         .flags = {{.names = {"--watch", "-w"}},
                   {.names = {"--output", "-o"}, .takes_value = true, .words = {"json", "yaml"}},
                   kNamespace,
                   kKubeconfig},
         .arguments = {"rollouts", "pods"}},
        {.name = "lint",
         .help = "check",
         .flags = {{.names = {"--output"}, .takes_value = true}},
         .files = true},
        {.name = "rollout",
         .help = "steer",
         .flags = {kNamespace, kKubeconfig, kContext, {.names = {"--help"}}},
         .verbs = {
             {.name = "get", .help = "show", .flags = {{.names = {"--web"}}}},
             {.name = "promote",
              .help = "go on",
              .flags = {{.names = {"--full"}},
                        {.names = {"--output", "-o"}, .takes_value = true, .words = {"name"}}}}}}}};

// The first line that a shell prints which has read the script.
std::string run_in(const std::string& shell, const std::string& commands) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("completion");
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fputs(completion_script(shell, kProgram)->c_str(), file);
  std::fclose(file);
  const std::string command = shell + " -c 'source " + path + "; " + commands + "'";
  std::FILE* running = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = std::fgetc(running); c != EOF && c != '\n'; c = std::fgetc(running))
    text += static_cast<char>(c);
  ::pclose(running);
  return text;
}

// What bash itself offers for a line.
std::string bash_offers(const std::string& words, int at) {
  return run_in("bash", "COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
                            "; _slipway; echo ${COMPREPLY[@]}");
}

// What fish offers, without the descriptions.
std::string fish_offers(const std::string& line) {
  return run_in("fish", "complete -C \"" + line +
                            "\" | string replace -r \"\\t.*\" \"\" | string join \" \"");
}

TEST(Completion, BashOffersCommandsFlagsAndKinds) {
  EXPECT_EQ(bash_offers("slipway g", 1), "get");
  EXPECT_EQ(bash_offers("slipway get --w", 2), "--watch");
  EXPECT_EQ(bash_offers("slipway get ro", 2), "rollouts");
}

TEST(Completion, BashOffersTheValuesOfAFlagAndNoKinds) {
  EXPECT_EQ(bash_offers("slipway get -o \"\"", 3), "json yaml");
  EXPECT_EQ(bash_offers("slipway get --output y", 3), "yaml");
  EXPECT_EQ(bash_offers("slipway get -n \"\"", 3), "");
  EXPECT_EQ(bash_offers("slipway get --kubeconfig /etc/passw", 3).substr(0, 11), "/etc/passwd");
  EXPECT_EQ(bash_offers("slipway get -w \"\"", 3), "rollouts pods");
}

TEST(Completion, BashOffersVerbsAndWhatFollowsThem) {
  EXPECT_EQ(bash_offers("slipway rollout \"\"", 2), "get promote");
  EXPECT_EQ(bash_offers("slipway rollout pro", 2), "promote");
  EXPECT_EQ(bash_offers("slipway rollout promote --f", 3), "--full");
  EXPECT_EQ(bash_offers("slipway rollout promote -o \"\"", 4), "name");
  EXPECT_EQ(bash_offers("slipway rollout get --w", 3), "--web") << "and not those of `get`";
  EXPECT_EQ(bash_offers("slipway rollout promote \"\"", 3), "");
}

TEST(Completion, BashPassesOverFlagsBeforeTheCommand) {
  EXPECT_EQ(bash_offers("slipway -n t g", 3), "get");
  EXPECT_EQ(bash_offers("slipway -n t get ro", 4), "rollouts");
  EXPECT_EQ(bash_offers("slipway --kubeconfig f -n t rollout promote --f", 7), "--full");
  EXPECT_EQ(bash_offers("slipway --context x rollout pro", 4), "promote");
  EXPECT_EQ(bash_offers("slipway -n \"\"", 2), "") << "a namespace, which nobody asked for";
  EXPECT_EQ(bash_offers("slipway --kubeconfig /etc/passw", 2).substr(0, 11), "/etc/passwd");
  EXPECT_EQ(bash_offers("slipway rollout -n t pro", 4), "promote");
  EXPECT_EQ(bash_offers("slipway -n t rollout --context x promote --f", 7), "--full");
  EXPECT_EQ(bash_offers("slipway rollout -n \"\"", 3), "");
}

TEST(Completion, BashOffersFlagsOfTheProgramAndOfGroups) {
  EXPECT_EQ(bash_offers("slipway --ver", 1), "--version");
  EXPECT_EQ(bash_offers("slipway -n t --ver", 3), "--version");
  EXPECT_EQ(bash_offers("slipway rollout --he", 2), "--help");
}

TEST(Completion, FishKnowsWhichFlagsTakeValues) {
  const auto script = completion_script("fish", kProgram).value();
  EXPECT_NE(script.find("-l output -s o -x -a 'json yaml'"), std::string::npos);
  EXPECT_NE(script.find("-l namespace -s n -x\n"), std::string::npos);
  EXPECT_NE(script.find("-l kubeconfig -r -F\n"), std::string::npos);
}

TEST(Completion, FishPassesOverFlagsBeforeTheCommand) {
  const auto script = completion_script("fish", kProgram).value();
  for (const char* line :
       {"string match -qr -- '^(--kubeconfig|--context|--namespace|-n)$'",
        "-n '__slipway_at \"\"' -a get -d", "-n '__slipway_at \"\"' -l context -x\n",
        "-n '__slipway_at rollout \"\"' -l help\n", "-n '__slipway_at rollout \"\"' -a promote -d",
        "-n '__slipway_at rollout promote' -l full\n"})
    EXPECT_NE(script.find(line), std::string::npos) << line;
  if (std::system("command -v fish >/dev/null") != 0) return;  // it is on few machines
  EXPECT_EQ(fish_offers("slipway g"), "get");
  EXPECT_EQ(fish_offers("slipway -n t g"), "get");
  EXPECT_EQ(fish_offers("slipway --kubeconfig f ro"), "rollout");
  EXPECT_EQ(fish_offers("slipway --context x rollout pro"), "promote");
  EXPECT_EQ(fish_offers("slipway -n t rollout promote --f"), "--full");
  EXPECT_EQ(fish_offers("slipway rollout -n t pro"), "promote");
  EXPECT_EQ(fish_offers("slipway -n t get ro"), "rollouts");
  EXPECT_EQ(fish_offers("slipway -n "), "") << "a namespace, which nobody asked for";
  EXPECT_EQ(fish_offers("slipway --kubeconfig /etc/passw").substr(0, 11), "/etc/passwd");
}

TEST(Completion, EveryShellKnowsEveryCommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell, kProgram);
    ASSERT_TRUE(script);
    for (const char* word : {"get", "lint", "watch", "rollouts"})
      EXPECT_NE(script->find(word), std::string::npos) << shell;
  }
}

TEST(Completion, NamesTheShellsItKnows) {
  EXPECT_NE(completion_script("tcsh", kProgram).error().message.find("bash, zsh or fish"),
            std::string::npos);
}

}  // namespace
}  // namespace slipway::cli
