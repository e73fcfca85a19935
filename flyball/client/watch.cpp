#include "flyball/client/watch.hpp"

#include "flyball/client/detail/watch_loop.hpp"

namespace flyball::client {

Watch::Watch(Transport& transport, Clock& clock, Random& random, WatchOptions options)
    : loop_(std::make_unique<detail::WatchLoop>(transport, clock, random, std::move(options))) {}
Watch::~Watch() = default;
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;

const WatchEvent* Watch::next(const Stop& stop) { return loop_->next(stop); }
const WatchEvent* Watch::poll(const Stop& stop) { return loop_->poll(stop); }

TimePoint Watch::next_due() const { return loop_->next_due(); }

WatchStatus Watch::status() const { return loop_->status(); }

}  // namespace flyball::client
