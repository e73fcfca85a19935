// What is done to pods by other names: binding one to a node, evicting one.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/net/http.hpp"

namespace flyball::apiserver {

net::Response bind_pod(Context& context);
// POST of a Binding to the namespace: the pod is the one it names.
net::Response bind_named_pod(Context& context);
net::Response evict_pod(Context& context);
// GET, PUT and PATCH of /ephemeralcontainers and /resize: of the whole pod, of which only that part is taken.
net::Response answer_pod_part(Context& context);

}  // namespace flyball::apiserver
