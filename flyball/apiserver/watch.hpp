// Watches: every change of a resource, as a stream of events. And the cache that encodes an event once for all.
//
//   std::unique_ptr<client::BodyStream> stream = open_watch(context);
//
// A watch costs nothing while nothing happens. It reads the store's history at its own pace: a client that is slow
// holds up nobody, and one that falls behind what is kept is told so with an ERROR event, and ends.
//
// Thread-safety: FrameCache may be used from any thread, a stream by one at a time.
// Lifetime: the World outlives the streams.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "flyball/apiserver/context.hpp"
#include "flyball/client/transport.hpp"

namespace flyball::apiserver {

std::unique_ptr<client::BodyStream> open_watch(Context& context);

}  // namespace flyball::apiserver
