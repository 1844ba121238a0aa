#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

// scenario_app FOLDER IMAGE: what images of scripts run on this machine. Answers on port 8080 of
// its Pod: 200, or 503 while there is a file FOLDER/unready/$SCENARIO/IMAGE.

namespace {

constexpr std::uint16_t kPort = 8080;
constexpr int kBacklog = 16;

int listen_here() {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  if (bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;
  return listen(server, kBacklog) == 0 ? server : -1;
}

}  // namespace

int main(int argc, char** argv) {
  const char* scenario = std::getenv("SCENARIO");
  if (argc != 3 || !scenario) return 64;
  const std::string unready = std::string(argv[1]) + "/unready/" + scenario + "/" + argv[2];
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, [](int) { _exit(0); });
  const int server = listen_here();
  if (server < 0) return 1;
  while (true) {
    const int client = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    char request[4096];
    (void)!read(client, request, sizeof request);
    const bool ready = access(unready.c_str(), F_OK) != 0;
    const std::string answer = std::string("HTTP/1.1 ") + (ready ? "200 OK" : "503 Not Ready") +
                               "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    (void)!write(client, answer.data(), answer.size());
    close(client);
  }
}
