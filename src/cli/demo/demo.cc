#include "cli/demo/demo.h"

#include <fmt/format.h>

#include "cli/demo/play.h"
#include "cli/demo/stage.h"
#include "cli/demo/supervise.h"
#include "cli/exit_code.h"
#include "cli/output.h"

namespace slipway::cli {

namespace {

// All of it; a little less than the three minutes it is given.
constexpr Duration kMaxDemo = std::chrono::seconds(175);

std::vector<Release> releases() {
  return {{.version = "v2",
           .about = "as good as v1; one request in a hundred fails",
           .wanted = Ending::kPromoted},
          {.version = "v3",
           .about = "a mistake slipped in; one request in five fails",
           .wanted = Ending::kAborted}};
}

void tell_addresses(const Stage& stage, const Play& play) {
  print_line("\nIt goes on running:");
  print(align({{"  application", play.url() + "/"},
               {"  Prometheus", stage.prometheus_url() + "/"},
               {"  server", stage.server_url()},
               {"  look", fmt::format("export KUBECONFIG={}", stage.kubeconfig())},
               {"", "slipway rollout get web"},
               {"  end it", fmt::format("slipway demo --end {}", stage.folder())}}));
}

// How many clients had to do with versions that were taken back.
void tell_of_failures(const std::vector<Told>& all) {
  for (const Told& told : all) {
    const auto found = told.load.versions.find(told.version);
    if (told.ending != Ending::kAborted || found == told.load.versions.end()) continue;
    print_line(fmt::format(
        "{} answered {} of {} requests before it was taken back; {} of them failed.", told.version,
        found->second.answers, told.load.answers(), found->second.errors));
  }
}

int run_demo(const std::string& folder, bool keep) {
  Stage stage(folder);
  print_line(
      "A web application behind HAProxy, a Prometheus that scrapes it, and 200 requests a second.");
  if (auto raised = stage.raise(); !raised) return complain(raised.error()), kExitFailed;
  print_line("$ slipway apply -f web.yaml");
  if (auto applied = stage.apply_manifests(); !applied)
    return complain(applied.error()), kExitFailed;

  Play play(stage);
  const auto done = run_to_end(stage.session().loop(), play.perform(releases()));
  const auto& told = play.told();
  if (!told.empty()) print("\n" + align(story_table(told)));
  tell_of_failures(told);
  if (!done) complain(done.error());
  const std::string wrong = what_went_wrong(told);
  if (done && !wrong.empty()) note("slipway: " + wrong);
  if (keep) tell_addresses(stage, play);
  return finish_output(done && wrong.empty() ? kExitDone : kExitFailed);
}

int end_kept(const std::string& folder) {
  const auto ended = end_demo(folder);
  if (!ended) return complain(ended.error());
  print_line("ended; nothing of it is left running");
  return kExitDone;
}

}  // namespace

int demo(const DemoOptions& options) {
  if (!options.end.empty()) return end_kept(options.end);
  const auto folder = make_demo_folder();
  if (!folder) return complain(folder.error());
  return supervise(*folder, kMaxDemo, options.keep,
                   [&] { return run_demo(*folder, options.keep); });
}

void add_demo_command(CommandLine& line, DemoOptions& o) {
  auto* command =
      line.add("demo", "show a good version promoted and a bad one taken back, on this machine",
               "  slipway demo\n  slipway demo --keep", [&o] { return demo(o); });
  command->add_flag("--keep", o.keep, "leave everything running, and say where");
  command->add_option("--end", o.end, "end a demo that was kept: its folder");
}

}  // namespace slipway::cli
