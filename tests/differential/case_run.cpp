#include "case_run.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>

#include "normalize.hpp"
#include "script.hpp"
#include "watch_reader.hpp"

#include "flyball/base/condition.hpp"
#include "flyball/base/error.hpp"
#include "flyball/json/merge_patch.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"
#include "flyball/kube/protobuf_json.hpp"

namespace flyball::differential {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

// "list/limit_and_continue" becomes the name of a namespace.
std::string namespace_of(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    result += plain ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
  }
  return "d-" + result.substr(0, 50) + "-ns";
}

json::View at_path(json::View value, std::string_view path) {
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (value.is_array()) {
      value = value[static_cast<std::size_t>(std::stoul(std::string(part)))];
    } else {
      value = value[part];
    }
  }
  return value;
}

std::string text_of(json::View value) {
  return value.is_string() ? std::string(value.as_string()) : json::write(value, {.escape_html = false});
}

bool has_parameter(std::string_view target, std::string_view parameter) {
  return target.find("?" + std::string(parameter)) != std::string_view::npos ||
         target.find("&" + std::string(parameter)) != std::string_view::npos;
}

// What the answer holds, as JSON; text that is neither JSON, YAML nor protobuf as a string.
json::Value decode(const net::Response& response) {
  if (response.body.empty()) return {};
  const std::string_view type = response.headers.get("Content-Type");
  if (type.starts_with(kProtobuf)) return kube::protobuf_to_json(response.body);
  if (type.starts_with("application/yaml")) return json::parse_yaml(response.body);
  if (type.starts_with("application/json")) {
    return json::parse(response.body, {.duplicates = json::Duplicates::last_wins});
  }
  return response.body;
}

class CaseRun {
 public:
  CaseRun(Target& target, Clock& clock, const Case& which)
      : target_(target),
        transport_(target.transport()),
        clock_(clock),
        ns_(namespace_of(which.name)),
        script_(parse_script(which.text)),
        normalizer_(which.text, ns_) {
    words_["ns"] = ns_;
  }

  std::vector<Answer> run() {
    make_namespace();
    std::vector<Answer> answers;
    for (const Step& step : script_.steps) {
      try {
        answers.push_back(run(step));
      } catch (const std::exception& error) {
        throw Error("step " + step.name + ": " + error.what());
      }
    }
    return answers;
  }

 private:
  Answer run(const Step& step) {
    switch (step.kind) {
      case Step::Kind::watch: return watch(step);
      case Step::Kind::events: return events(step);
      case Step::Kind::until: return until(step);
      case Step::Kind::forget: target_.forget(patience()); return {.step = step.name, .outcome = "forgotten"};
      case Step::Kind::request: break;
    }
    const std::vector<std::string> bodies = step.raw ? std::vector{step.body} : documents_of(step.body);
    Answer answer{.step = step.name};
    for (const std::string& body : bodies) {
      Answer next = answer_to(step, transport_.send(request(step, body), patience()));
      if (!answer.outcome.empty()) next.outcome = answer.outcome + ", " + next.outcome;
      answer = std::move(next);
    }
    return answer;
  }

  Answer until(const Step& step) {
    const Stop stop = patience();
    while (true) {
      const net::Response response = transport_.send(request(step, step.body), stop);
      if (is_as_wished(step.condition, response)) return answer_to(step, response);
      if (!pause_until(clock_, clock_.after(10ms), stop)) {
        throw Error("it never became " + step.condition + "; the last answer was " + std::to_string(response.status) +
                    " " + response.body);
      }
    }
  }

  static bool is_as_wished(const std::string& condition, const net::Response& response) {
    const auto equals = condition.find('=');
    if (equals == std::string::npos) return std::to_string(response.status) == condition;
    const json::Value body = decode(response);
    const json::View value = at_path(body, condition.substr(0, equals));
    return value.exists() && text_of(value) == condition.substr(equals + 1);
  }

  Answer watch(const Step& step) {
    auto stream = transport_.open(request(step, step.body), patience(), {.idle_timeout = 60s});
    net::Response head = stream->head();
    if (head.status == 200) {
      watches_[step.name] = std::make_unique<WatchReader>(std::move(stream));
    } else {
      const Stop stop = patience();
      for (std::string piece; !(piece = stream->read(stop)).empty();) head.body += piece;
    }
    return answer_to(step, head);
  }

  Answer events(const Step& step) {
    const auto found = watches_.find(step.watch);
    if (found == watches_.end()) throw Error("there is no open watch named " + step.watch);
    const Stop stop = patience();
    json::Builder raw;
    json::Builder shown;
    raw.begin_array();
    shown.begin_array();
    std::size_t count = 0;
    bool ended = false;
    while (step.count == 0 || count < step.count) {
      const std::optional<json::Value> event = found->second->next(stop);
      ended = !event;
      if (ended) break;
      const bool bookmark = (*event)["type"].string_or("") == "BOOKMARK";
      if (bookmark && !step.bookmarks) continue;
      ++count;
      raw.value(*event);
      const json::View type = (*event)["type"];
      shown.begin_object().key("type").value(type);
      shown.key("object").value(chosen(step, normalizer_.body((*event)["object"], {.bookmark = bookmark}))).end();
    }
    bodies_[step.name] = raw.end().finish();
    std::string outcome = std::to_string(count) + (count == 1 ? " event" : " events");
    return {.step = step.name, .outcome = outcome + (ended ? ", then the end" : ""), .body = shown.end().finish()};
  }

  net::Request request(const Step& step, const std::string& body) {
    net::Request request{.method = step.method, .target = encode_target(expanded(step.target)), .headers = {}};
    for (const auto& [name, value] : step.headers) request.headers.add(name, expanded(value));
    if (!request.headers.contains("Accept")) request.headers.add("Accept", "application/json");
    if (!request.headers.contains("User-Agent")) request.headers.add("User-Agent", "differential/1.0");
    if (body.empty() && step.from.empty()) return request;
    if (!request.headers.contains("Content-Type")) request.headers.add("Content-Type", "application/json");
    request.body = encoded(step, expanded(body), request.headers.get("Content-Type"));
    return request;
  }

  std::string encoded(const Step& step, const std::string& body, std::string_view type) {
    if (step.raw) return body;
    if (step.from.empty() && (type.ends_with("+yaml") || type.starts_with("application/yaml"))) return body;
    json::Value value = body.empty() ? json::object() : json::parse_yaml(body);
    if (!step.from.empty()) {
      if (!bodies_.contains(step.from)) throw Error("there is no earlier step named " + step.from);
      value = json::merge_patch(bodies_.at(step.from), value);
    }
    return type.starts_with(kProtobuf) ? kube::json_to_protobuf(value) : json::write(value);
  }

  std::string expanded(std::string_view text) {
    return expand(text, [&](std::string_view words) -> const std::string* {
      if (const auto known = words_.find(words); known != words_.end()) return &known->second;
      const std::string_view step = words.substr(0, words.find('.'));
      const auto body = bodies_.find(step);
      if (body == bodies_.end() || step.size() == words.size()) return nullptr;
      const json::View value = at_path(body->second, words.substr(step.size() + 1));
      if (!value.exists()) throw Error("there is no {" + std::string(words) + "}");
      return &(words_[std::string(words)] = text_of(value));
    });
  }

  Answer answer_to(const Step& step, const net::Response& response) {
    Answer answer{.step = step.name,
                  .outcome = std::to_string(response.status) + " " + std::string(net::status_text(response.status))};
    const json::Value body = decode(response);
    bodies_.insert_or_assign(step.name, body);
    const json::Value shown = normalized(step, response, body);
    const bool ok = response.status < 400;
    if (ok && std::find(step.show.begin(), step.show.end(), "code") != step.show.end()) return answer;
    headers_of(response, answer);
    answer.body = ok && !body.is_null() ? chosen(step, shown) : shown;
    return answer;
  }

  json::Value normalized(const Step& step, const net::Response& response, const json::Value& body) {
    if (body.is_null()) return body;
    if (body.is_string()) return normalizer_.text(body.as_string());
    const std::string target = expanded(step.target);
    return normalizer_.body(
        body, {.exact_list = has_parameter(target, "resourceVersionMatch=Exact") || has_parameter(target, "continue="),
               .version = target == "/version" && response.status == 200});
  }

  void headers_of(const net::Response& response, Answer& answer) {
    for (const std::string_view name : {"Allow", "Content-Type", "Retry-After", "Warning"}) {
      for (const auto& [field, value] : response.headers) {
        if (net::same_name(field, name)) {
          answer.headers.push_back(std::string(name) + ": " + normalizer_.text(value));
        }
      }
    }
    if (response.headers.contains("ETag")) answer.headers.emplace_back("ETag: <present>");
    if (response.body.starts_with("{\n")) answer.headers.emplace_back("Layout: indented");
  }

  // Only what the step wants to see.
  static json::Value chosen(const Step& step, json::Value body) {
    if (step.show.empty()) return body;
    json::Builder result;
    result.begin_object();
    for (const std::string& path : step.show) {
      const json::View part = at_path(body, path);
      result.key(path).value(part.exists() ? json::Value(part) : json::Value("<absent>"));
    }
    return result.end().finish();
  }

  void make_namespace() {
    const json::Value body =
        json::object({{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object({{"name", ns_}})}});
    const net::Response response = transport_.send({.method = "POST",
                                                    .target = "/api/v1/namespaces",
                                                    .headers = {{"Content-Type", "application/json"}},
                                                    .body = json::write(body)},
                                                   patience());
    if (response.status != 201) throw Error("cannot make the namespace " + ns_ + ": " + response.body);
  }

  Stop patience() { return Stop().with_deadline(clock_, clock_.after(target_.patience())); }

  Target& target_;
  client::Transport& transport_;
  Clock& clock_;
  const std::string ns_;
  const Script script_;
  Normalizer normalizer_;
  std::map<std::string, std::string, std::less<>> words_;
  std::map<std::string, json::Value, std::less<>> bodies_;  // as they came, by step
  std::map<std::string, std::unique_ptr<WatchReader>, std::less<>> watches_;
};

}  // namespace

std::vector<Answer> run_case(Target& target, Clock& clock, const Case& which) {
  return CaseRun(target, clock, which).run();
}

}  // namespace flyball::differential
