#include "flyball/client/list.hpp"

#include "flyball/client/refusal.hpp"
#include "flyball/client/requests.hpp"
#include "flyball/json/split.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_split.hpp"
#include "flyball/net/url.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client {

using kube::meta::v1::ListMeta;

namespace {

// Anything else would look like a list without items.
void check_kind(std::string_view kind) {
  if (!kind.ends_with("List")) throw Error("expected a kind that ends in List, found \"" + std::string(kind) + "\"");
}

}  // namespace

// One page as it came, and how far it has been passed over.
struct ListReader::Page {
  explicit Page(Answer answered);
  std::optional<std::string_view> next();

  Answer answer;
  Format format = Format::json;
  ListMeta metadata = {};
  std::vector<std::string_view> items = {};  // into the answer's body
  std::size_t passed = 0;

 private:
  void split_json();
  void split_protobuf();
};

ListReader::Page::Page(Answer answered) : answer(std::move(answered)), format(format_of(answer)) {
  try {
    if (format == Format::json) {
      split_json();
    } else {
      split_protobuf();
    }
  } catch (const Error& error) {
    throw Error(answer.about + ": the answer is not a list: " + error.what());
  }
}

// In both formats the body is one chunk, so every item is a view into it.
void ListReader::Page::split_protobuf() {
  const std::string& body = answer.response.body;
  check_kind(kube::open_envelope(body).kind);
  kube::ListSplitter splitter(body.size());
  splitter.feed(body, [&](std::string_view item) { items.push_back(item); });
  metadata = splitter.finish();
}

void ListReader::Page::split_json() {
  json::ListSplitter splitter;
  splitter.feed(answer.response.body, [&](std::string_view item) { items.push_back(item); });
  const json::Value rest = splitter.finish();
  check_kind(rest["kind"].string_or(""));
  const json::View list = rest["metadata"];
  metadata.resourceVersion = list["resourceVersion"].string_or("");
  metadata.continue_ = list["continue"].string_or("");
  if (list["remainingItemCount"].is_int()) metadata.remainingItemCount = list["remainingItemCount"].as_int();
}

std::optional<std::string_view> ListReader::Page::next() {
  if (passed == items.size()) return std::nullopt;
  return items[passed++];
}

ListReader::ListReader(std::shared_ptr<Engine> engine, Resource resource, Extent extent, ListOptions options, Stop stop)
    : engine_(std::move(engine)),
      resource_(std::move(resource)),
      extent_(extent),
      options_(std::move(options)),
      stop_(std::move(stop)) {}

ListReader::~ListReader() = default;
ListReader::ListReader(ListReader&&) noexcept = default;
ListReader& ListReader::operator=(ListReader&&) noexcept = default;

std::optional<std::string_view> ListReader::next() {
  // A page that could not be fetched is asked for again by the next call: an error never looks like the end.
  while (true) {
    if (page_ != nullptr) {
      if (auto item = page_->next()) return item;
    }
    if (begun_ && metadata_.continue_.empty()) {
      page_.reset();
      return std::nullopt;
    }
    fetch();
  }
}

Format ListReader::format() const { return page_ == nullptr ? Format::json : page_->format; }

bool ListReader::next(const reflect::Type& type, void* to) {
  const auto item = next();
  if (!item) return false;
  try {
    decode_item(*item, format(), type, resource_.kind, to);
  } catch (const Error& error) {
    throw Error(page_->answer.about + ": an item of the list is not what was asked for: " + error.what());
  }
  return true;
}

const ListMeta& ListReader::metadata() {
  if (!begun_) fetch();
  return metadata_;
}

void ListReader::start_over(bool in_one_page) {
  page_.reset();
  metadata_ = {};
  begun_ = false;
  if (in_one_page) options_.page_size = 0;
}

void ListReader::fetch() {
  // Before the next page comes: two are never held.
  page_.reset();
  page_ = std::make_unique<Page>(ask());
  metadata_ = page_->metadata;
  begun_ = true;
}

Answer ListReader::ask() {
  const Call call{.verb = "list", .request = request(), .repeatable = true};
  Answer answer = engine_->exchange(call, stop_);
  if (answer.response.status < 400) return answer;
  const Refusal refusal = read_refusal(answer.response, answer.about);
  const bool can_go_on = options_.on_expired == OnExpired::go_on && !refusal.continue_token.empty() &&
                         refusal.details.code == 410 && refusal.continue_token != metadata_.continue_;
  if (can_go_on) {
    metadata_.continue_ = refusal.continue_token;
    return ask();
  }
  if (answer.response.status == 406 && wants_protobuf()) {
    engine_->no_protobuf(resource_.kind.group);
    return ask();
  }
  throw ApiError(refusal.details);
}

bool ListReader::wants_protobuf() const {
  // The metadata of every kind has a protobuf form, of custom resources too.
  return (resource_.protobuf || extent_ == Extent::metadata) && engine_->speaks_protobuf(resource_.kind.group);
}

net::Request ListReader::request() const {
  net::Query query;
  if (options_.page_size > 0) query.add("limit", std::to_string(options_.page_size));
  if (!metadata_.continue_.empty()) {
    query.add("continue", metadata_.continue_);
  } else if (!options_.resource_version.empty()) {
    // Only with the first page: the token carries the version of the others.
    query.add("resourceVersion", options_.resource_version);
    if (options_.match == ResourceVersionMatch::exact) query.add("resourceVersionMatch", "Exact");
    if (options_.match == ResourceVersionMatch::not_older_than) query.add("resourceVersionMatch", "NotOlderThan");
  }
  add_selectors(options_, query);
  const bool protobuf = wants_protobuf();

  return {.target = with_query(resource_.path(std::string_view(options_.namespace_)), query),
          .headers = {{"Accept", accept_list_header(extent_, protobuf)}}};
}

}  // namespace flyball::client
