#include "store/kube/exec_credential.h"

#include <gmock/gmock.h>

#include "base/json.h"

namespace slipway::store::kube {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

Program shell(std::string script) { return {.path = "sh", .args = {"-c", std::move(script)}}; }

TEST(RunProgram, GivesOutputAndExitCode) {
  Result<ProgramOutput> done = run_program(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->out, "out\n");
  EXPECT_EQ(done->err, "err\n");
  EXPECT_EQ(done->exit_code, 3);
}

TEST(RunProgram, GivesNoInputAndAddsToTheEnvironment) {
  Program program = shell("cat; echo $HOME_OF_TEST $PATH");
  program.env["HOME_OF_TEST"] = "here";
  program.env["PATH"] = "/usr/bin:/bin:/mine";
  Result<ProgramOutput> done = run_program(program);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->out, "here /usr/bin:/bin:/mine\n");
}

TEST(RunProgram, SaysWhatCannotBeStarted) {
  Result<ProgramOutput> done = run_program({.path = "/no/such/program"});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(done.error().message, HasSubstr("/no/such/program"));
}

TEST(RunProgram, KillsWhatTakesTooLong) {
  Program slow = shell("sleep 100 & wait");
  slow.time_limit = 100ms;
  Result<ProgramOutput> done = run_program(slow);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kTimeout);
}

TEST(RunProgram, KillsWhatPrintsTooMuch) {
  Program loud = shell("while :; do echo aaaaaaaaaaaaaaaa; done");
  loud.output_limit = 10'000;
  Result<ProgramOutput> done = run_program(loud);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kTooLarge);
}

TEST(RunProgram, ReadsPastWhatItKeepsOfStderr) {
  Result<ProgramOutput> done = run_program(shell("head -c 200000 /dev/zero >&2; echo done"));
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->out, "done\n");
  EXPECT_LE(done->err.size(), 8192u);
}

TEST(RunProgram, EndsWithTheProgramThoughAChildHoldsItsOutput) {
  Program program = shell("echo done; sleep 5 & exit 0");
  program.time_limit = 2s;
  Result<ProgramOutput> done = run_program(program);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->out, "done\n");
}

TEST(RunProgram, NamesTheSignalThatKilledIt) {
  Result<ProgramOutput> done = run_program(shell("kill -9 $$"));
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->exit_code, 128 + 9);
}

Access access_with(std::string script) {
  Access access{.server = "https://h:6443"};
  access.tls.ca_pem = "ca";
  access.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                           .command = "sh",
                           .args = {"-c", std::move(script)},
                           .provide_cluster_info = true,
                           .cluster_config = R"({"audience":"x"})"};
  return access;
}

TEST(ExecCredential, TellsThePluginWhatIsAsked) {
  Program program = exec_program(access_with("true"));
  Result<json::Value> info = json::read(program.env.at("KUBERNETES_EXEC_INFO"));
  ASSERT_TRUE(info);
  Result<json::Value> expected = json::read(R"({
    "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
    "spec": {"interactive": false, "cluster": {"server": "https://h:6443",
      "certificate-authority-data": "Y2E=", "config": {"audience": "x"}}}})");
  EXPECT_TRUE(json::same(*info, *expected)) << json::write(*info);
}

TEST(ExecCredential, RunsThePlugin) {
  Result<ExecCredential> given = run_exec_plugin(access_with(
      R"(echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
      R"("status":{"token":"t","expirationTimestamp":"2026-01-02T03:04:05Z"}}')"));
  ASSERT_TRUE(given) << given.error().text();
  EXPECT_EQ(given->token, "t");
  ASSERT_TRUE(given->expires);
  EXPECT_EQ(format_time(*given->expires), "2026-01-02T03:04:05Z");
}

TEST(ExecCredential, PassesOnWhatThePluginSaysWhenItFails) {
  Access access = access_with("echo no login >&2; exit 1");
  access.exec->install_hint = "install it so";
  Result<ExecCredential> given = run_exec_plugin(access);
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(given.error().message,
            "exec plugin sh failed: it ended with 1: no login; install it so");
}

TEST(ExecCredential, RefusesAnswersThatAreNoCredential) {
  const std::string head =
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential")";
  const std::pair<std::string, std::string> rows[] = {
      {"secret garbage", "did not print JSON"},
      {R"({"kind":"Pod"})", "did not print an ExecCredential"},
      {R"({"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential"})",
       "answered in client.authentication.k8s.io/v1beta1"},
      {head + "}", "gave no status"},
      {head + R"(,"status":{}})", "neither a token nor a certificate"},
      {head + R"(,"status":{"clientCertificateData":"c"}})", "only one of certificate and key"},
      {head + R"(,"status":{"token":"a\nb"}})", "control characters"},
      {head + R"(,"status":{"token":"secret","expirationTimestamp":"soon"}})", "no RFC 3339 time"},
  };
  for (const auto& [text, says] : rows) {
    Result<ExecCredential> given = parse_exec_credential(text, *access_with("").exec);
    ASSERT_FALSE(given) << text;
    EXPECT_THAT(given.error().message, HasSubstr(says)) << text;
    EXPECT_THAT(given.error().message, Not(HasSubstr("secret"))) << text;
  }
}

TEST(ExecCredential, AYearBeyondAllClocksIsNever) {
  Result<ExecCredential> given = parse_exec_credential(
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
          "status":{"token":"t","expirationTimestamp":"9999-12-31T23:59:59Z"}})",
      *access_with("").exec);
  ASSERT_TRUE(given) << given.error().text();
  EXPECT_FALSE(given->expires);
}

TEST(ExecCredential, TakesCertificates) {
  Result<ExecCredential> given = parse_exec_credential(
      R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
          "status":{"clientCertificateData":"c","clientKeyData":"k"}})",
      *access_with("").exec);
  ASSERT_TRUE(given) << given.error().text();
  EXPECT_EQ(given->certificate_pem, "c");
  EXPECT_EQ(given->key_pem, "k");
  EXPECT_FALSE(given->expires);
}

}  // namespace
}  // namespace slipway::store::kube
