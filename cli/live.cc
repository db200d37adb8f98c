#include "cli/live.h"

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>

#include "cli/loopback.h"
#include "cli/text.h"
#include "gopnet/report_page.h"

namespace gopnet::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Text = std::shared_ptr<const std::string>;

constexpr char kWaiting[] =
    "<!doctype html><meta http-equiv=\"refresh\" content=\"1\"><title>gopnet</title>"
    "<p>The run has not started yet.";

// A text that changes whenever a file of the folder changes.
std::string Stamp(const std::string& folder) {
  std::string stamp;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder, error)) {
    if (!item.is_regular_file(error)) continue;
    stamp += fmt::format("{} {} {}\n", item.path().filename().string(), item.file_size(error),
                         item.last_write_time(error).time_since_epoch().count());
  }
  return stamp;
}

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

struct LivePage::Server {
  Server(std::string run_folder, int port)
      : folder(std::move(run_folder)),
        http(port, [this](std::string_view path) { return Answer(path); }) {}

  HttpAnswer Answer(std::string_view path) {
    if (path != "/" && path != "/data.json")
      return {404, "text/plain", std::make_shared<const std::string>("not found\n")};
    const std::lock_guard lock(mutex);
    Refresh();
    asked = Clock::now();
    ++answers;
    answered.notify_all();
    if (path == "/") return {200, "text/html; charset=utf-8", page};
    return {data ? 200 : 503, data ? "application/json" : "text/plain", data ? data : failure};
  }

  // Reads the folder again if it has changed. Uses at most half a percent of a core, so that
  // training does not slow down.
  void Refresh() {
    if (Clock::now() < next_look) return;
    const double start = ThreadSeconds();
    const std::string now = Stamp(folder);
    if (now != stamp || !data) Read();
    stamp = now;
    const std::chrono::duration<double> pause(200 * (ThreadSeconds() - start));
    next_look = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }

  void Read() try {
    data = std::make_shared<const std::string>(ReportData(folder));
    page = std::make_shared<const std::string>(ReportPageOf(*data, true));
  } catch (const std::exception& e) {
    data = nullptr;
    page = std::make_shared<const std::string>(kWaiting);
    failure = std::make_shared<const std::string>(e.what());
  }

  void WaitForWatcher() {
    std::unique_lock lock(mutex);
    if (Clock::now() - asked > std::chrono::seconds(3)) return;
    const int before = answers;
    next_look = {};
    answered.wait_for(lock, std::chrono::milliseconds(2500), [&] { return answers > before; });
  }

  const std::string folder;
  std::mutex mutex;  // guards the members below
  std::condition_variable answered;
  std::string stamp;
  Text data, page, failure;  // shared with the connections that send them
  Clock::time_point asked{}, next_look{};
  int answers = 0;
  LoopbackServer http;  // last, because its thread uses the other members
};

LivePage::LivePage(const std::string& folder, const std::string& port) {
  constexpr int kMaxPort = 65535;
  const int number = port.empty() ? 0 : Count("--port", port, 1, kMaxPort);
  server_ = std::make_unique<Server>(folder, number);
}

LivePage::~LivePage() { server_->WaitForWatcher(); }

std::string LivePage::address() const {
  return fmt::format("http://127.0.0.1:{}/", server_->http.port());
}

}  // namespace gopnet::cli
