#include "flyball/client/detail/watch_loop.hpp"

#include <utility>

#include "flyball/base/condition.hpp"
#include "flyball/client/detail/watch_request.hpp"
#include "flyball/client/refusal.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/net/stream.hpp"
#include "flyball/reflect/decode.hpp"

namespace flyball::client::detail {
namespace {

using Kind = WatchEvent::Kind;
using kube::meta::v1::PartialObjectMetadata;
using kube::meta::v1::Status;

// Of a body that says why the server refused.
constexpr std::size_t kRefusalBytes = std::size_t{1} << 20U;

kube::GroupVersionKind kind_of_objects(const WatchOptions& options) {
  if (options.extent == Extent::whole) return options.resource.kind;
  return {"meta.k8s.io", "v1", "PartialObjectMetadata"};
}

// The mark on the bookmark that ends the initial events.
bool ends_initial_events(const WatchFrame& frame, Format format) {
  constexpr std::string_view kMark = "k8s.io/initial-events-end";
  if (format == Format::json) {
    return json::parse(frame.object)["metadata"]["annotations"][kMark].string_or("") == "true";
  }
  // Every kind has its metadata where this one has it.
  PartialObjectMetadata partial;
  kube::decode_message(frame.object, reflect::type_of<PartialObjectMetadata>(), &partial);
  const auto mark = partial.metadata.annotations.find(std::string(kMark));
  return mark != partial.metadata.annotations.end() && mark->second == "true";
}

Kind kind_of(WatchType type) {
  if (type == WatchType::modified) return Kind::modified;
  return type == WatchType::deleted ? Kind::deleted : Kind::added;
}

}  // namespace

WatchLoop::WatchLoop(Transport& transport, Clock& clock, Random& random, WatchOptions options)
    : transport_(transport),
      clock_(clock),
      random_(random),
      options_((check(options), std::move(options))),
      kind_(kind_of_objects(options_)),
      api_version_(kind_.api_version()),
      instruments_(clock, options_),
      phase_(options_.resource_version.empty() ? Phase::resync : Phase::watch),
      watch_list_(options_.watch_list),
      watch_list_known_(options_.watch_list),
      position_(options_.resource_version),
      page_size_(options_.page_size) {}

const WatchEvent* WatchLoop::next(const Stop& stop) {
  polling_ = false;
  return go_on(stop);
}

const WatchEvent* WatchLoop::poll(const Stop& stop) {
  polling_ = true;
  return go_on(stop);
}

const WatchEvent* WatchLoop::go_on(const Stop& stop) {
  while (!stop.stopped()) {
    if (clock_.now() < retry_at_ && (polling_ || !pause_until(clock_, retry_at_, stop))) break;
    try {
      if (const WatchEvent* event = step(stop)) return event;
    } catch (const Refused& refused) {
      was_refused(refused.error);
    } catch (const Stopped& stopped) {
      if (stop.stopped()) break;
      if (polling_ && clock_.now() < silent_at_ && stream_ != nullptr) break;
      clock_.now() >= silent_at_ ? went_silent(stopped) : broke(stopped);
    } catch (const net::NetError& error) {
      error.kind() == net::NetError::Kind::kTimeout ? went_silent(error) : broke(error);
    } catch (const Error& error) {
      broke(error);
    }
  }
  return nullptr;
}

const WatchEvent* WatchLoop::step(const Stop& stop) {
  switch (phase_) {
    case Phase::resync: return begin_resync();
    case Phase::list: return step_list(stop);
    case Phase::initial:
    case Phase::watch: return step_stream(stop);
  }
  return nullptr;
}

const WatchEvent* WatchLoop::begin_resync() {
  close();
  phase_ = watch_list_ ? Phase::initial : Phase::list;
  given_ = given_in_page_ = skip_ = 0;
  continue_.clear();
  return give(Kind::resync_begin);
}

const WatchEvent* WatchLoop::step_list(const Stop& stop) {
  if (!page_) page_.emplace(open(list_request(options_, continue_, page_size_), stop), options_.event_bytes);
  while (true) {
    std::string_view item;
    while (page_->next(item)) {
      heard();
      if (skip_ > 0) {
        --skip_;
        continue;
      }
      ++given_in_page_;
      const bool json = page_->format() == Format::json;
      return give(Kind::added, page_->format(), item, json ? kube::metadata_of(item) : kube::metadata_of_message(item));
    }
    std::string piece = read(stop);
    if (piece.empty()) return end_page(page_->finish());
    page_->feed(std::move(piece));
  }
}

const WatchEvent* WatchLoop::end_page(const kube::meta::v1::ListMeta& list) {
  if (list.resourceVersion.empty()) {
    throw InputError({}, "metadata.resourceVersion", "the list has none: there is no place to watch from");
  }
  heard();
  close();
  given_in_page_ = skip_ = 0;
  if (continue_.empty()) list_position_ = list.resourceVersion;
  continue_ = list.continue_;
  if (!continue_.empty()) return nullptr;
  return synced(list_position_);
}

const WatchEvent* WatchLoop::synced(std::string resource_version) {
  position_ = std::move(resource_version);
  phase_ = Phase::watch;
  page_size_ = options_.page_size;
  watch_list_ = watch_list_known_;
  instruments_.log().info("synced", "objects", given_, "version", position_);
  return give(Kind::synced);
}

void WatchLoop::open_stream(const Stop& stop) {
  const Duration life = random_.jitter(options_.shortest_life, 1.0);
  const bool initial = phase_ == Phase::initial;
  heard_in_stream_ = false;
  opened_at_ = clock_.now();
  decoder_.emplace(open(initial ? watch_list_request(options_, life) : watch_request(options_, position_, life), stop),
                   options_.event_bytes);
  instruments_.log().debug("watching", "from", initial ? "the present state" : position_);
}

const WatchEvent* WatchLoop::step_stream(const Stop& stop) {
  if (!decoder_) open_stream(stop);
  while (true) {
    if (WatchFrame* frame = decoder_->next()) return take(*frame);
    std::string piece = read(stop);
    if (piece.empty()) {
      decoder_->finish();
      ended();
      return nullptr;
    }
    decoder_->feed(std::move(piece));
  }
}

const WatchEvent* WatchLoop::take(WatchFrame& frame) {
  heard();
  heard_in_stream_ = true;
  silent_streams_ = 0;
  if (frame.type == WatchType::error) {
    take_error(frame);
    return nullptr;
  }
  if (frame.metadata.resource_version.empty()) {
    throw InputError({}, "object.metadata.resourceVersion",
                     "an event has none: there would be no place to go on from after it");
  }
  if (frame.type == WatchType::bookmark) return take_bookmark(frame);
  // The initial events are in no order: until their end there is nothing to go on from.
  if (phase_ == Phase::watch) {
    position_ = frame.metadata.resource_version;
    failures_ = errors_ = expirations_ = 0;
  }
  return give(kind_of(frame.type), decoder_->format(), frame.object, std::move(frame.metadata));
}

const WatchEvent* WatchLoop::take_bookmark(const WatchFrame& frame) {
  const std::string version(frame.metadata.resource_version);
  if (phase_ == Phase::watch) {
    position_ = version;
    failures_ = errors_ = expirations_ = 0;
    return give(Kind::bookmark);
  }
  if (ends_initial_events(frame, decoder_->format())) return synced(version);
  // The first bookmark of a server that knows what we asked for has the mark.
  instruments_.log().info("the server does not know sendInitialEvents; its lists are read instead");
  watch_list_known_ = false;
  list_instead();
  return nullptr;
}

void WatchLoop::take_error(const WatchFrame& frame) {
  Status status;
  if (kube::is_protobuf(frame.object)) {
    kube::from_protobuf(frame.object, reflect::type_of<Status>(), &status);
  } else {
    status = reflect::decode<Status>(frame.object);
  }
  const net::Response answer{.status = status.code != 0 ? status.code : 500, .body = std::string(frame.object)};
  const ApiError error(read_refusal(answer, "watch of " + resource_name(options_)).details);
  close();
  if (error.code() == 410) return expired(error);
  instruments_.restart("error");
  cut_short();
  // It may be this very version that the server cannot go on from.
  constexpr int kTries = 3;
  if (phase_ == Phase::watch && ++errors_ >= kTries) resync();
  warn("the server ended the watch with an error", error, pause(error.retry_after()));
}

const WatchEvent* WatchLoop::give(Kind kind, Format format, std::string_view object, kube::Metadata metadata) {
  ++given_;
  // An item of a list does not say what it is.
  if (metadata.kind.empty()) metadata.kind = kind_.kind;
  if (metadata.api_version.empty()) metadata.api_version = api_version_;
  const std::string_view version = metadata.resource_version;
  event_ = {
      .kind = kind, .format = format, .object = object, .metadata = std::move(metadata), .resource_version = version};
  instruments_.gave(kind);
  return &event_;
}

const WatchEvent* WatchLoop::give(Kind kind) {
  event_ = {.kind = kind};
  if (kind != Kind::resync_begin) event_.resource_version = position_;
  instruments_.gave(kind);
  return &event_;
}

Format WatchLoop::open(net::Request request, const Stop& stop) {
  const std::string about = request.method + " " + request.target.substr(0, request.target.find('?'));
  silent_at_ = options_.idle_timeout > Duration(0) ? clock_.after(options_.idle_timeout) : kNever;
  waiting_ = true;
  stream_ = transport_.open(std::move(request), stop.with_deadline(clock_, silent_at_),
                            {.idle_timeout = options_.idle_timeout});
  const net::Response& head = stream_->head();
  if (head.status != 200) refuse(about, stop);
  worked_ = true;
  refused_since_.reset();
  const std::string_view type = head.headers.get("Content-Type");
  if (const auto format = format_from(type)) return *format;
  throw InputError({}, "Content-Type",
                   about + " was answered with \"" + std::string(type) +
                       "\", expected JSON or protobuf of Kubernetes: does something else stand in its place?");
}

void WatchLoop::refuse(const std::string& about, const Stop& stop) {
  net::Response answer = stream_->head();
  for (std::string piece; answer.body.size() < kRefusalBytes && !(piece = read(stop)).empty();) answer.body += piece;
  throw Refused{ApiError(read_refusal(answer, about).details)};
}

std::string WatchLoop::read(const Stop& stop) {
  // Counted from the beginning of the wait, not from the last event: meanwhile the consumer may have been busy.
  if (!waiting_ && options_.idle_timeout > Duration(0)) silent_at_ = clock_.after(options_.idle_timeout);
  waiting_ = true;
  return stream_->read(stop.with_deadline(clock_, polling_ ? clock_.now() : silent_at_));
}

void WatchLoop::heard() {
  waiting_ = false;
  instruments_.heard();
  if (!troubled_) return;
  troubled_ = false;
  instruments_.trouble("");
}

void WatchLoop::close() {
  decoder_.reset();
  page_.reset();
  stream_.reset();
}

}  // namespace flyball::client::detail
