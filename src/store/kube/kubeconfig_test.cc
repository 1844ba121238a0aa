#include "store/kube/kubeconfig.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "base/base64.h"
#include "base/file.h"
#include "base/scratch_testing.h"

namespace slipway::store::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class Folder : public ScratchFolder {
 public:
  std::string put(const std::string& name, std::string_view text) const {
    EXPECT_TRUE(file::write(file(name), text, 0600));
    return file(name);
  }
};

// A kubeconfig with one of each, whose user and cluster have these fields.
std::string config(std::string_view user, std::string_view cluster = "server: https://h:6443") {
  return fmt::format(R"(
apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: {{cluster: c, user: u, namespace: team}}
clusters:
- name: c
  cluster: {{{}}}
users:
- name: u
  user: {{{}}}
)",
                     cluster, user);
}

Access read(std::string_view text, std::string_view context = {}, const std::string& folder = {}) {
  Result<Access> access = read_kubeconfig(text, context, folder);
  EXPECT_TRUE(access) << access.error().text();
  return access.value_or(Access{});
}

TEST(Kubeconfig, ReadsTheCurrentContext) {
  Access access = read(config("token: secret"));
  EXPECT_EQ(access.server, "https://h:6443");
  EXPECT_EQ(access.token, "secret");
  EXPECT_EQ(access.ns, "team");
  EXPECT_TRUE(access.tls.verify);
}

TEST(Kubeconfig, ReadsTheContextAskedFor) {
  std::string text = R"({"contexts": [{"name": "other", "context": {"cluster": "c"}}],
                         "clusters": [{"name": "c", "cluster": {"server": "https://other/"}}]})";
  Access access = read(text, "other");
  EXPECT_EQ(access.server, "https://other");
  EXPECT_EQ(access.ns, "default");
}

TEST(Kubeconfig, DecodesEmbeddedData) {
  Access access = read(
      config(fmt::format("client-certificate-data: {}, client-key-data: {}", base64_encode("cert"),
                         base64_encode("key")),
             fmt::format("server: https://h, tls-server-name: kube, certificate-authority-data: {}",
                         base64_encode("ca"))));
  EXPECT_EQ(access.tls.certificate_pem, "cert");
  EXPECT_EQ(access.tls.key_pem, "key");
  EXPECT_EQ(access.tls.ca_pem, "ca");
  EXPECT_EQ(access.tls.server_name, "kube");
}

TEST(Kubeconfig, FindsFilesRelativeToItself) {
  Folder folder;
  folder.put("ca.crt", "ca");
  folder.put("c.crt", "cert");
  std::string key = folder.put("c.key", "key");
  std::string path =
      folder.put("config", config(fmt::format("client-certificate: c.crt, client-key: {}", key),
                                  "server: https://h, certificate-authority: ./ca.crt"));
  Result<Access> access = load_kubeconfig(path);
  ASSERT_TRUE(access) << access.error().text();
  EXPECT_EQ(access->tls.ca_pem, "ca");
  EXPECT_EQ(access->tls.certificate_pem, "cert");
  EXPECT_EQ(access->tls.key_pem, "key");
}

TEST(Kubeconfig, DataComesBeforeAFile) {
  Access access = read(config("token: t",
                              "server: https://h, certificate-authority: /no/such, "
                              "certificate-authority-data: Y2E="));
  EXPECT_EQ(access.tls.ca_pem, "ca");
}

TEST(Kubeconfig, KeepsTheTokenFileForLater) {
  EXPECT_EQ(read(config("tokenFile: t/token"), {}, "/etc/kube").token_file, "/etc/kube/t/token");
}

TEST(Kubeconfig, ReadsPasswordsAndImpersonation) {
  Access access =
      read(config("username: me, password: pw, as: boss, as-groups: [a, b], "
                  "as-user-extra: {example.com/x: ['1']}"));
  EXPECT_EQ(access.username, "me");
  EXPECT_EQ(access.password, "pw");
  EXPECT_THAT(
      access.impersonate.all(),
      ElementsAre(Pair("Impersonate-User", "boss"), Pair("Impersonate-Group", "a"),
                  Pair("Impersonate-Group", "b"), Pair("Impersonate-Extra-example.com%2Fx", "1")));
}

TEST(Kubeconfig, TakesAnAddressWithoutScheme) {
  EXPECT_EQ(read(config("token: t", "server: 'h:8080'")).server, "http://h:8080");
  EXPECT_EQ(read(config("token: t", "server: 'h:1', insecure-skip-tls-verify: true")).server,
            "https://h:1");
  EXPECT_FALSE(read(config("", "server: 'h:1', insecure-skip-tls-verify: true")).tls.verify);
}

TEST(Kubeconfig, ReadsExecPlugins) {
  Access access = read(
      config(
          "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, args: [get, "
          "token], env: [{name: A, value: b}], installHint: get it, provideClusterInfo: true, "
          "interactiveMode: IfAvailable}",
          "server: https://h, extensions: [{name: client.authentication.k8s.io/exec, extension: "
          "{audience: x}}]"),
      {}, "/etc/kube");
  ASSERT_TRUE(access.exec);
  EXPECT_EQ(access.exec->command, "/etc/kube/bin/login");
  EXPECT_THAT(access.exec->args, ElementsAre("get", "token"));
  EXPECT_THAT(access.exec->env, ElementsAre(Pair("A", "b")));
  EXPECT_EQ(access.exec->install_hint, "get it");
  EXPECT_TRUE(access.exec->provide_cluster_info);
  EXPECT_EQ(access.exec->cluster_config, R"({"audience":"x"})");
}

TEST(Kubeconfig, LooksForACommandWithoutSlashInThePath) {
  Access access =
      read(config("exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws}"), {},
           "/etc/kube");
  ASSERT_TRUE(access.exec);
  EXPECT_EQ(access.exec->command, "aws");
}

TEST(Kubeconfig, MakesThePathOfACommandAbsolute) {
  const std::string here = std::filesystem::current_path().string();
  struct Row {
    std::string folder, command, absolute;
  };
  for (const Row& row :
       {Row{"kube", "bin/login", here + "/kube/bin/login"},
        Row{"kube", "./login", here + "/kube/login"}, Row{"kube", "../login", here + "/login"},
        Row{"", "./login", here + "/login"}, Row{"kube", "/bin/l", "/bin/l"}}) {
    Access access = read(
        config("exec: {apiVersion: client.authentication.k8s.io/v1, command: " + row.command + "}"),
        {}, row.folder);
    ASSERT_TRUE(access.exec);
    EXPECT_EQ(access.exec->command, row.absolute);
  }
}

struct Refusal {
  std::string text;
  ErrorCode code;
  std::string says;
};
TEST(Kubeconfig, RefusesWithTheFieldAndTheReason) {
  const std::string exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: a";
  const Refusal rows[] = {
      {"", ErrorCode::kNotFound, "current-context: no context is current"},
      {"[]", ErrorCode::kInvalid, "a kubeconfig is an object"},
      {"a: b: c", ErrorCode::kInvalid, "line 1"},
      {"a: 1\n---\nb: 1", ErrorCode::kInvalid, "one document"},
      {"kind: Pod", ErrorCode::kInvalid, "kind: must be Config"},
      {"current-context: x", ErrorCode::kNotFound, "there is no context \"x\"; the file has none"},
      {"contexts: [{name: b}, {name: a}]", ErrorCode::kNotFound,
       "name one with --context; there are: a, b"},
      {"clusters: 3", ErrorCode::kInvalid, "clusters: must be a list"},
      {"clusters: [{cluster: {}}]", ErrorCode::kInvalid, "clusters[0].name: every entry needs"},
      {"users: [{name: a}, {name: a}]", ErrorCode::kInvalid, "users[1].name: \"a\" is there twice"},
      {"contexts: [{name: m, context: {cluster: c}}]\ncurrent-context: m", ErrorCode::kNotFound,
       "contexts[m].context.cluster: there is no cluster \"c\""},
      {"contexts: [{name: m, context: {cluster: c, user: x}}]\ncurrent-context: m\nclusters: "
       "[{name: c}]",
       ErrorCode::kNotFound, "contexts[m].context.user: there is no user \"x\""},
      {config("token: t", ""), ErrorCode::kInvalid, "clusters[c].cluster.server"},
      {config("token: t", "server: ftp://x"), ErrorCode::kInvalid, "is no http or https address"},
      {config("token: t", "server: https://h, insecure-skip-tls-verify: 'yes'"),
       ErrorCode::kInvalid, "clusters[c].cluster.insecure-skip-tls-verify: must be true or false"},
      {config("token: t", "server: https://h, certificate-authority-data: '*'"),
       ErrorCode::kInvalid, "clusters[c].cluster.certificate-authority-data"},
      {config("token: t", "server: https://h, certificate-authority: /no/such/file"),
       ErrorCode::kNotFound, "/no/such/file"},
      {config("token: t", "server: https://h, proxy-url: http://p"), ErrorCode::kInvalid,
       "proxy-url"},
      {config("token: t, username: u"), ErrorCode::kInvalid, "more than one"},
      {config("token: 7"), ErrorCode::kInvalid, "users[u].user.token: must be text"},
      {config("token: \"a\\nb\""), ErrorCode::kInvalid, "control characters"},
      {config("client-key-data: a2V5"), ErrorCode::kInvalid, "go together"},
      {config("auth-provider: {name: gcp}"), ErrorCode::kInvalid, "auth-provider"},
      {config("as-groups: [a]"), ErrorCode::kInvalid, "users[u].user.as: missing"},
      {config("exec: {apiVersion: client.authentication.k8s.io/v1}"), ErrorCode::kInvalid,
       "users[u].user.exec.command: missing"},
      {config("exec: {apiVersion: v9, command: a}"), ErrorCode::kInvalid, "\"v9\" is not known"},
      {config(exec + ", interactiveMode: Always}"), ErrorCode::kInvalid, "terminal"},
      {config(exec + ", env: [{value: x}]}"), ErrorCode::kInvalid, "exec.env"},
  };
  for (const Refusal& row : rows) {
    Result<Access> access = read_kubeconfig(row.text, {}, {});
    ASSERT_FALSE(access) << row.text;
    EXPECT_EQ(to_string(access.error().code), to_string(row.code)) << row.text;
    EXPECT_THAT(access.error().text(), HasSubstr(row.says)) << row.text;
  }
}

TEST(Kubeconfig, OfSeveralFilesTheFirstCounts) {
  Folder folder;
  std::string first = folder.put("first", R"(
current-context: main
users: [{name: u, user: {token: first}}]
)");
  std::string second = folder.put("second", config("token: second"));
  Result<Access> access = load_kubeconfigs({folder.path() + "/missing", first, second});
  ASSERT_TRUE(access) << access.error().text();
  EXPECT_EQ(access->token, "first");
  EXPECT_EQ(access->server, "https://h:6443");
}

TEST(Kubeconfig, NamesTheFileThatIsMissingOrWrong) {
  Folder folder;
  Result<Access> missing = load_kubeconfig(folder.path() + "/config");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().text(), HasSubstr("/config"));
  Result<Access> wrong = load_kubeconfig(folder.put("wrong", "clusters: 3"));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().text(), HasSubstr("/wrong: clusters: must be a list"));
}

TEST(Kubeconfig, SplitsPathsAtColons) {
  EXPECT_THAT(split_kubeconfig_paths("a::b/c:"), ElementsAre("a", "b/c"));
  EXPECT_THAT(split_kubeconfig_paths(""), ElementsAre());
}

class InCluster : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("KUBERNETES_SERVICE_HOST", "fd00::1", 1);
    ::setenv("KUBERNETES_SERVICE_PORT", "443", 1);
  }
  void TearDown() override {
    ::unsetenv("KUBERNETES_SERVICE_HOST");
    ::unsetenv("KUBERNETES_SERVICE_PORT");
  }
  Folder folder_;
};

TEST_F(InCluster, ReadsTheServiceAccount) {
  std::string token = folder_.put("token", "t");
  folder_.put("ca.crt", "ca");
  folder_.put("namespace", "team\n");
  Result<Access> access = in_cluster_access(folder_.path());
  ASSERT_TRUE(access) << access.error().text();
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->token_file, token);
  EXPECT_EQ(access->tls.ca_pem, "ca");
  EXPECT_EQ(access->ns, "team");
}

TEST_F(InCluster, IsNotFoundWithoutTokenOrAddress) {
  folder_.put("ca.crt", "ca");
  EXPECT_EQ(in_cluster_access(folder_.path()).error().code, ErrorCode::kNotFound);
  folder_.put("token", "t");
  ::unsetenv("KUBERNETES_SERVICE_HOST");
  EXPECT_EQ(in_cluster_access(folder_.path()).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace slipway::store::kube
