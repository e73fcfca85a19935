#include "flyball/runtime/probes.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "flyball/net/url.hpp"

namespace flyball::runtime {
namespace {

constexpr std::string_view kPlain = "text/plain; charset=utf-8";

net::Response plain(int status, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", std::string(kPlain)}, {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(text)};
}

std::string problem_of(const Checks::Check& check) {
  try {
    return check();
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string decoded(std::string_view text) { return net::percent_decode(text).value_or(std::string(text)); }

struct Question {
  bool verbose = false;
  std::set<std::string, std::less<>> excluded = {};
};

Question question_of(std::string_view query) {
  Question question;
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    const std::string_view name = part.substr(0, part.find('='));
    const std::string_view value = name.size() < part.size() ? part.substr(name.size() + 1) : "";
    if (name == "verbose") question.verbose = true;
    if (name == "exclude") question.excluded.insert(decoded(value));
  }
  return question;
}

}  // namespace

// --- Checks

void Checks::add(std::string name, Check check) {
  MutexLock lock(mutex_);
  checks_.insert_or_assign(std::move(name), std::move(check));
}

void Checks::remove(const std::string& name) {
  MutexLock lock(mutex_);
  checks_.erase(name);
}

bool Checks::contains(const std::string& name) const {
  MutexLock lock(mutex_);
  return checks_.contains(name);
}

std::vector<Checks::Result> Checks::ask() const {
  std::map<std::string, Check> checks;
  {
    // A check may take a lock whose holder adds a check.
    MutexLock lock(mutex_);
    checks = checks_;
  }
  std::vector<Result> results;
  results.reserve(checks.size());
  for (const auto& [name, check] : checks) results.push_back({name, problem_of(check)});
  return results;
}

bool Checks::pass() const {
  return std::ranges::all_of(ask(), [](const Result& result) { return result.problem.empty(); });
}

// --- ProbeServer

ProbeServer::ProbeServer(Clock& clock, const Checks& live, const Checks& ready, const Metrics& metrics,
                         ProbeServerOptions options)
    : live_(live),
      ready_(ready),
      metrics_(metrics),
      options_(std::move(options)),
      server_(clock, {.address = options_.address, .port = options_.port, .log = options_.log},
              [this](const net::Request& request, net::ResponseWriter& writer) { writer.send(answer(request)); }) {}

net::Response ProbeServer::answer(const net::Request& request) const {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = path.size() < target.size() ? target.substr(path.size() + 1) : "";
  if (request.method != "GET" && request.method != "HEAD") {
    auto refused = plain(405, "only GET is answered here\n");
    refused.headers.set("Allow", "GET, HEAD");
    return refused;
  }
  if (options_.metrics && path == "/metrics") {
    return {.headers = {{"Content-Type", std::string(Metrics::kContentType)}}, .body = metrics_.text()};
  }
  const auto under = [&](std::string_view endpoint) {
    return options_.probes && path.starts_with(endpoint) &&
           (path.size() == endpoint.size() || path[endpoint.size()] == '/');
  };
  for (const auto& [endpoint, checks] :
       {std::pair(std::string_view("/healthz"), &live_), std::pair(std::string_view("/livez"), &live_),
        std::pair(std::string_view("/readyz"), &ready_)}) {
    if (under(endpoint)) return probe(*checks, endpoint, path.substr(endpoint.size()), query);
  }
  return plain(404, "404 page not found\n");
}

net::Response ProbeServer::probe(const Checks& checks, std::string_view endpoint, std::string_view rest,
                                 std::string_view query) const {
  const Question question = question_of(query);
  const std::string only = rest.size() > 1 ? decoded(rest.substr(1)) : "";
  if (!only.empty() && !checks.contains(only)) return plain(404, "404 page not found\n");
  std::string list;
  bool failed = false;
  for (const auto& [name, problem] : checks.ask()) {
    if (!only.empty() && name != only) continue;
    const bool excluded = question.excluded.contains(name);
    list.append(excluded || problem.empty() ? "[+]" : "[-]").append(name);
    if (excluded)
      list.append(" excluded: ok\n");
    else
      list.append(problem.empty() ? " ok" : " failed: ").append(problem).append("\n");
    failed = failed || (!problem.empty() && !excluded);
  }
  const std::string word(endpoint.substr(1));
  if (failed) {
    options_.log.debug("a probe failed", "probe", word, "checks", list);
    return plain(500, list + word + " check failed\n");
  }
  return plain(200, question.verbose ? list + word + " check passed\n" : "ok");
}

}  // namespace flyball::runtime
