// Flyball: the one header an operator includes, beside those of the built-in types it uses.
//
//   #include <flyball/flyball.hpp>
//   #include <flyball/kube/apps/v1.hpp>
//
//   using namespace flyball;
//   using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec, MemcachedStatus>;
//   std::cout << json::write_yaml(crd<Memcached>());
//
// It is the sum of what an operator needs of each room, in the order of docs/architecture.md; each header says what it
// is for. Inside Flyball nobody includes it: a room includes what it uses (tools/check_rooms.py).
#pragma once

// base: errors, time, stopping, the log.
#include "flyball/base/api_error.hpp"
#include "flyball/base/clock.hpp"
#include "flyball/base/error.hpp"
#include "flyball/base/log.hpp"
#include "flyball/base/random.hpp"
#include "flyball/base/stop.hpp"

// json: values of any shape, JSON and YAML in and out.
#include "flyball/json/parse.hpp"
#include "flyball/json/value.hpp"
#include "flyball/json/write.hpp"
#include "flyball/json/yaml.hpp"

// reflect: FLYBALL_DESCRIBE, and reading and writing what it describes.
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/decode_yaml.hpp"
#include "flyball/reflect/describe.hpp"
#include "flyball/reflect/encode.hpp"

// kube: Kubernetes' words, resources of your own, what the objects of all kinds share.
#include "flyball/kube/conditions.hpp"
#include "flyball/kube/crd.hpp"
#include "flyball/kube/custom_resource.hpp"
#include "flyball/kube/equality.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/labels.hpp"
#include "flyball/kube/owner.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/readiness.hpp"
#include "flyball/kube/resource_key.hpp"
#include "flyball/kube/scalars.hpp"
#include "flyball/kube/selector.hpp"
#include "flyball/kube/time.hpp"

// client: which cluster, and everything one can ask of it.
#include "flyball/client/client.hpp"
#include "flyball/client/load_config.hpp"

// runtime: the control loop, and the program around it. What it reads comes out of the room cache.
#include "flyball/runtime/context.hpp"
#include "flyball/runtime/operator.hpp"
#include "flyball/runtime/predicates.hpp"
#include "flyball/runtime/terminal.hpp"
#include "flyball/runtime/trigger.hpp"

// The names that operators write most often, without their room. A header brings its own where it has one.
namespace flyball {
using client::load_config;
using kube::crd;
using kube::holds;
using kube::MicroTime;
using kube::ObjectKey;
using kube::Selector;
using kube::semantic_equal;
using kube::Time;
}  // namespace flyball
