#include "flyball/client/client.hpp"

#include "flyball/client/config.hpp"
#include "flyball/client/http_transport.hpp"

namespace flyball::client {
namespace {

ClientOptions with_namespace(ClientOptions options, const std::string& otherwise) {
  if (options.namespace_.empty()) options.namespace_ = otherwise;
  return options;
}

}  // namespace

Client::Client(Transport& transport, Clock& clock, Random& random, ClientOptions options)
    : Client(std::shared_ptr<Transport>(std::shared_ptr<Transport>(), &transport), clock, random, std::move(options)) {}

Client::Client(std::shared_ptr<Transport> transport, Clock& clock, Random& random, ClientOptions options)
    : engine_(
          std::make_shared<Engine>(std::move(transport), clock, random, with_namespace(std::move(options), "default"))),
      mapper_(std::make_shared<RestMapper>(engine_)) {}

Client Client::connect(const Config& config, Clock& clock, Random& random, ClientOptions options) {
  auto transport = std::make_shared<HttpTransport>(clock, config, HttpTransportOptions{.log = options.log});
  return {std::move(transport), clock, random, with_namespace(std::move(options), config.namespace_)};
}

Client Client::with(Stop stop) const {
  Client copy = *this;
  copy.stop_ = std::move(stop);
  return copy;
}

Client Client::guarded(WriteGuard guard) const {
  Client copy = *this;
  copy.engine_ =
      std::make_shared<Engine>(std::make_shared<GuardedTransport>(engine_->shared_transport(), std::move(guard)),
                               engine_->clock(), engine_->random(), engine_->options());
  return copy;
}

Objects<json::Value> Client::dynamic(const GroupVersionKind& kind) const {
  return dynamic_at(mapper_->resource(kind, stop_));
}

Objects<json::Value> Client::dynamic_at(const Resource& resource) const {
  auto without_types = std::make_shared<Resource>(resource);
  without_types->protobuf = false;
  return Objects<json::Value>(requests(std::move(without_types), Extent::whole));
}

Objects<PartialObjectMetadata> Client::metadata(const GroupVersionKind& kind) const {
  return metadata_at(mapper_->resource(kind, stop_));
}

Objects<PartialObjectMetadata> Client::metadata_at(const Resource& resource) const {
  return Objects<PartialObjectMetadata>(requests(std::make_shared<Resource>(resource), Extent::metadata));
}

net::Response Client::raw(net::Request request) const {
  Call call{.verb = "raw", .request = std::move(request)};
  for (const char* method : {"GET", "HEAD", "PUT", "DELETE"}) call.repeatable |= call.request.method == method;
  return engine_->send(call, stop_).response;
}

Watch Client::watch(WatchOptions options) const {
  return {engine_->transport(), engine_->clock(), engine_->random(), complete(std::move(options))};
}

WatchOptions Client::complete(WatchOptions options) const {
  if (options.metrics == nullptr) options.metrics = engine_->options().metrics;
  // One that was not given writes nothing, not even errors.
  if (!options.log.enabled(LogLevel::error)) options.log = engine_->options().log;
  return options;
}

ObjectRequests Client::requests(std::shared_ptr<const Resource> resource, Extent extent) const {
  return {engine_, std::move(resource), extent, stop_};
}

}  // namespace flyball::client
