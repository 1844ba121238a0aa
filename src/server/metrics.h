#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace slipway::server {

// The program's own metrics, for /metrics. prometheus-cpp behind; from the loop's thread.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  // One answered request. Kinds beyond kMaxResources are counted together as "other", so that
  // custom kinds cannot make this grow without end.
  void count_request(std::string_view verb, std::string_view resource, int code, Duration took);
  void set_in_flight(int requests);

  // Counts an open watch for as long as it lives.
  class OpenWatch {
   public:
    OpenWatch(Metrics& metrics, std::string resource);
    ~OpenWatch();
    OpenWatch(const OpenWatch&) = delete;
    OpenWatch& operator=(const OpenWatch&) = delete;

   private:
    Metrics& metrics_;
    std::string resource_;
  };

  // A family whose values are read when somebody asks: `read` is called on the loop.
  struct Sample {
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
  };
  enum class Type { kCounter, kGauge };
  void add_source(std::string name, std::string help, Type type,
                  std::function<std::vector<Sample>()> read);

  // Writes some lines; false: there are no more.
  using WritePart = std::function<bool(std::string& to)>;
  // Families that are written as text, after the others: see MetricText. `begin` is called once a
  // scrape, on the loop, and what it gives again and again: others have their turn in between.
  void add_text(std::function<WritePart()> begin);

  // One scrape in Prometheus' text format, part by part. Must not outlive this.
  WritePart scrape() const;
  // All of one.
  std::string text() const;

  static constexpr std::size_t kMaxResources = 200;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace slipway::server
