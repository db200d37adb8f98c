#include "cli/live.h"

#include "cli/text.h"
#include "gopnet/report_page.h"

#ifdef GOPNET_HTTPLIB
#include <httplib.h>
#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <thread>
#endif

namespace gopnet::cli {

#ifdef GOPNET_HTTPLIB
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kWaiting[] =
    "<!doctype html><meta http-equiv=\"refresh\" content=\"1\"><title>gopnet</title>"
    "<p>The run has not begun yet.";

// Changes when a file of the folder does.
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
  explicit Server(const std::string& run_folder) : folder(run_folder) {
    http.new_task_queue = [] { return new httplib::ThreadPool(2); };
    http.set_keep_alive_max_count(1);         // or the end would wait for idle connections
    http.set_socket_options([](int socket) {  // the default shares a port with other programs
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Content-Security-Policy", "frame-ancestors 'none'"}});
    http.set_pre_routing_handler([this](const auto& request, auto& response) {
      return Refuse(request, response) ? httplib::Server::HandlerResponse::Handled
                                       : httplib::Server::HandlerResponse::Unhandled;
    });
    http.Get("/", [this](const auto&, auto& response) { AnswerPage(response); });
    http.Get("/data.json", [this](const auto&, auto& response) { AnswerData(response); });
  }

  // A page of somebody else must not read ours by a name of its own that points to this machine.
  bool Refuse(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host");
    const bool ours =
        host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
    if (!ours) response.status = 403;
    if (ours && request.method != "GET" && request.method != "HEAD") response.status = 405;
    if (response.status > 0) response.set_content("refused\n", "text/plain");
    return response.status > 0;
  }

  void AnswerPage(httplib::Response& response) {
    const std::lock_guard lock(mutex);
    asked = Clock::now();
    try {
      response.set_content(ReportPage(folder, true), "text/html; charset=utf-8");
    } catch (const std::exception&) {
      response.set_content(kWaiting, "text/html; charset=utf-8");
    }
  }

  // If something has changed, and for a small part of the time, which training needs.
  void ReadFolder() {
    const std::string now = Stamp(folder);
    if (now == stamp || Clock::now() < next_read) return;
    const double start = ThreadSeconds();
    data = ReportData(folder);
    stamp = now;
    const std::chrono::duration<double> pause(200 * (ThreadSeconds() - start));
    next_read = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }

  void AnswerData(httplib::Response& response) {
    const std::lock_guard lock(mutex);
    try {
      ReadFolder();
      response.set_content(data, "application/json");
    } catch (const std::exception& e) {
      response.status = 503;
      response.set_content(e.what(), "text/plain");
    }
    asked = Clock::now();
    ++answers;
    answered.notify_all();
  }

  void WaitForWatcher() {
    std::unique_lock lock(mutex);
    if (Clock::now() - asked > std::chrono::seconds(3)) return;
    const int before = answers;
    next_read = {};
    answered.wait_for(lock, std::chrono::milliseconds(2500), [&] { return answers > before; });
  }

  const std::string folder;
  int port = 0;
  httplib::Server http;
  std::thread thread;
  std::mutex mutex;  // guards the members below
  std::condition_variable answered;
  std::string stamp, data;
  Clock::time_point asked{}, next_read{};
  int answers = 0;
};

LivePage::LivePage(const std::string& folder, const std::string& port)
    : server_(std::make_unique<Server>(folder)) {
  constexpr char kHost[] = "127.0.0.1";
  constexpr int kMostPort = 65535;
  Server& server = *server_;
  const int wanted = port.empty() ? 0 : Count("--port", port, 1, kMostPort);
  if (wanted == 0) {
    server.port = server.http.bind_to_any_port(kHost);
  } else if (server.http.bind_to_port(kHost, wanted)) {
    server.port = wanted;
  }
  if (server.port <= 0)
    Fail("--port: {} of 127.0.0.1 cannot be used; without --port a free one is taken",
         port.empty() ? "no port" : port);
  server.thread = std::thread([&server] { server.http.listen_after_bind(); });
  while (!server.http.is_running()) std::this_thread::yield();  // or stop() would come too early
}

LivePage::~LivePage() {
  server_->WaitForWatcher();
  server_->http.stop();
  server_->thread.join();
}

bool LivePage::Available() { return true; }
std::string LivePage::address() const { return fmt::format("http://127.0.0.1:{}/", server_->port); }

#else
struct LivePage::Server {};
LivePage::LivePage(const std::string&, const std::string&) {
  throw Error(
      "the live view is not part of this program: it was built without cpp-httplib "
      "(Debian: libcpp-httplib-dev); gopnet report RUN writes the page at any time");
}
LivePage::~LivePage() = default;
bool LivePage::Available() { return false; }
std::string LivePage::address() const { return ""; }
#endif

}  // namespace gopnet::cli
