#include "flyball/apiserver/watch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/reads.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/apiserver/tables/render_table.hpp"
#include "flyball/client/whole_body.hpp"
#include "flyball/json/draft.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/kube/protobuf_json.hpp"
#include "flyball/kube/protobuf_split.hpp"

namespace flyball::apiserver {
namespace {

constexpr Duration kBookmarkEvery = std::chrono::seconds(60);
constexpr Duration kShortestLife = std::chrono::seconds(1800);
constexpr std::size_t kMostAtOnce = 500;

std::string with_revision(std::string_view text, Revision revision) {
  json::Draft draft(json::parse(text));
  draft.set("/metadata/resourceVersion", std::to_string(revision));
  return json::write(draft.build());
}

// What an event looks like to this watch's client.
class Encoder {
 public:
  Encoder(World& world, ResourcePointer resource, Accept accept, IncludeObject include)
      : world_(world), resource_(std::move(resource)), accept_(std::move(accept)), include_(include) {}

  // `object` is the object's JSON text in its version: a view or a StoredText.
  template <class Text>
  std::string event(std::string_view type, const Text& object) {
    if (accept_.as == Projection::table) return frame(type, table(object));
    if (accept_.format == Encoding::protobuf) {
      return kube::make_watch_frame(type, object_bytes(accept_, *resource_, object));
    }
    if (accept_.as == Projection::metadata) {
      return frame(type, json::write(metadata_only(json::parse(object), accept_.version)));
    }
    return frame(type, object);
  }

  std::string value(std::string_view type, json::View object) const {
    if (accept_.format == Encoding::protobuf) return kube::make_watch_frame(type, kube::json_to_protobuf(object));
    return frame(type, json::write(object));
  }

  std::string bookmark(Revision revision, bool end_of_initial) {
    std::string text = R"({"kind":")" + resource_->kind + R"(","apiVersion":")" + resource_->api_version() +
                       R"(","metadata":{"resourceVersion":")" + std::to_string(revision) + '"';
    if (end_of_initial) text += R"(,"annotations":{"k8s.io/initial-events-end":"true"})";
    text += "}}";
    if (!resource_->is_custom()) {
      // With all that Go writes of an empty object.
      text = Object::parse(resource_, text).text();
    }
    return event("BOOKMARK", text);
  }

  // Events of one watch that have the same form as another's can be shared; tables cannot: the first has the columns.
  std::optional<std::string> form(std::string_view type) const {
    if (accept_.as == Projection::table) return std::nullopt;
    return std::string(type) + (accept_.format == Encoding::protobuf ? "/p" : "/j") +
           (accept_.as == Projection::metadata ? "m" + accept_.version : std::string());
  }

  const Resource& resource() const { return *resource_; }

 private:
  static std::string frame(std::string_view type, std::string_view object) {
    std::string text;
    text.reserve(object.size() + type.size() + 32);
    return text.append(R"({"type":")").append(type).append(R"(","object":)").append(object).append("}\n");
  }

  std::string table(std::string_view object) {
    const TableOptions options{.version = accept_.version,
                               .include = include_,
                               .headers = std::exchange(columns_, false),
                               .now = world_.clock.wall_now()};
    return json::write(render_table(table_of(*resource_), json::parse(object), options));
  }

  World& world_;
  const ResourcePointer resource_;
  const Accept accept_;
  const IncludeObject include_;
  bool columns_ = true;
};

class WatchStream final : public client::BodyStream {
 public:
  WatchStream(Context& context, ListOptions options, Follower follower, Encoder encoder, std::string first)
      : world_(context.world),
        options_(std::move(options)),
        everything_(selects_everything(options_)),
        follower_(std::move(follower)),
        encoder_(std::move(encoder)),
        pending_(std::move(first)),
        ends_(context.world.clock.after(life(context))),
        next_bookmark_(context.world.clock.after(kBookmarkEvery)) {
    if (context.resource->namespaced && !context.call.namespace_.empty()) prefix_ = context.call.namespace_ + "/";
    head_.headers.set("Content-Type", context.accept.stream_type());
    add_headers(context, head_);
  }

  const net::Response& head() const noexcept override { return head_; }

  std::string read(const Stop& stop) override {
    while (pending_.empty() && !done_) step(stop);
    return std::exchange(pending_, {});
  }

 private:
  Duration life(Context& context) const {
    if (options_.timeout && *options_.timeout > 0) return std::chrono::seconds(*options_.timeout);
    return context.world.random.jitter(kShortestLife, 1.0);
  }

  void step(const Stop& stop) {
    const TimePoint until = options_.bookmarks ? std::min(ends_, next_bookmark_) : ends_;
    const bool news = follower_.wait(stop.with_deadline(world_.clock, until));
    if (!news) {
      if (world_.clock.now() < until) stop.throw_if_stopped();
      return quiet();
    }
    try {
      for (const ChangePointer& change : follower_.take(kMostAtOnce)) add(*change);
    } catch (const Compacted& compacted) {
      pending_ += encoder_.value("ERROR", too_old(follower_.position(), compacted.oldest()).status());
      done_ = true;
    }
  }

  void quiet() {
    const TimePoint now = world_.clock.now();
    done_ = now >= ends_;
    for (const ChangePointer& change : follower_.take(kMostAtOnce)) add(*change);
    if (!options_.bookmarks) return;
    pending_ += encoder_.bookmark(follower_.position(), false);
    next_bookmark_ = world_.clock.after(kBookmarkEvery);
  }

  bool is_mine(const Change& change) const { return prefix_.empty() || change.key.name.starts_with(prefix_); }
  bool matches(const Bytes& bytes) const {
    return bytes != nullptr &&
           (everything_ || selected(options_, json::parse(*in_version(encoder_.resource(), bytes))));
  }

  void add(const Change& change) {
    if (!is_mine(change)) return;
    const bool was = matches(change.before.bytes);
    const bool is = matches(change.after);
    if (is) return add(change, was ? "MODIFIED" : "ADDED", change.after);
    if (!was) return;
    if (change.is_delete()) return add(change, "DELETED", change.last);
    // It no longer fits: the client gets what it knew, at the revision of the change.
    pending_ += encoder_.event("DELETED",
                               in_version(encoder_.resource(), with_revision(*change.before.bytes, change.revision)));
  }

  void add(const Change& change, std::string_view type, const Bytes& stored) {
    const auto make = [&] { return encoder_.event(type, *in_version(encoder_.resource(), stored)); };
    const auto form = encoder_.form(type);
    pending_ += form ? *world_.frames.get({change.revision, &encoder_.resource(), *form}, make) : make();
  }

 public:
  static Refusal too_old(Revision asked, Revision oldest) {
    return refuse::expired("too old resource version: " + std::to_string(asked) + " (" + std::to_string(oldest) + ")");
  }

 private:
  World& world_;
  const ListOptions options_;
  const bool everything_;
  std::string prefix_;
  Follower follower_;
  Encoder encoder_;
  net::Response head_;
  std::string pending_;
  const TimePoint ends_;
  TimePoint next_bookmark_;
  bool done_ = false;
};

// What is there now, as events.
std::string initial_events(Context& context, const ListOptions& options, Encoder& encoder, Revision& revision) {
  const std::string prefix =
      context.resource->namespaced && !context.call.namespace_.empty() ? context.call.namespace_ + "/" : "";
  const Page page = context.world.store.list(context.resource->shelf, {.prefix = prefix});
  revision = page.revision;
  std::string events;
  const bool everything = selects_everything(options);
  for (const auto& [key, stored] : page.items) {
    const Bytes text = in_version(*context.resource, stored.bytes);
    if (everything || selected(options, json::parse(*text))) events += encoder.event("ADDED", *text);
  }
  return events;
}

}  // namespace

std::unique_ptr<client::BodyStream> open_watch(Context& context) {
  ListOptions options = list_options(context.call, *context.resource);
  Store& store = context.world.store;
  Encoder encoder(context.world, context.resource, context.accept, include_object(context.call.query["includeObject"]));
  Revision from = options.revision.value_or(0);
  const Revision now = store.revision();
  if (from > now && options.send_initial_events) throw refuse::too_large_version(from, now);
  std::string first;
  // Asked for nothing in particular: begin with what is there. Without "from", sendInitialEvents=false means from now.
  const bool initial = options.send_initial_events || (from == 0 && !context.call.query.contains("sendInitialEvents"));
  if (initial) {
    first = initial_events(context, options, encoder, from);
    if (options.send_initial_events && options.bookmarks) first += encoder.bookmark(from, true);
  } else if (from == 0) {
    from = now;
  }
  try {
    Follower follower = store.follow(context.resource->shelf, from);
    return std::make_unique<WatchStream>(context, std::move(options), std::move(follower), std::move(encoder),
                                         std::move(first));
  } catch (const NotYet& not_yet) {
    throw refuse::too_large_version(from, not_yet.now());
  } catch (const Compacted& compacted) {
    // A watch that cannot begin there: one event that says so.
    net::Response answer;
    answer.headers.set("Content-Type", context.accept.stream_type());
    answer.body = encoder.value("ERROR", WatchStream::too_old(from, compacted.oldest()).status());
    return std::make_unique<client::WholeBody>(std::move(answer));
  }
}

}  // namespace flyball::apiserver
