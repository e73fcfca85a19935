// The addresses of Services: cluster IPs and node ports, chosen or checked.
//
//   ServiceRange range;                                   // 10.0.0.0/24, ports 30000 to 32767
//   TakenAddresses taken;                                 // of all Services there are, the old version of this
//   included Problems problems; allocate_service(service, nullptr, range, taken, random, problems);       // on create
//   allocate_service(service, &old, range, taken, random, problems);          // on update
//   if (problems.empty()) service.spec.clusterIP;                             // 10.0.0.70
//
// The API server does this before all else: after defaults, before `prepare` and `validate`, whose rules ask for what
// is filled in here. A problem of the kind `internal` is an error 500 whose text is the problem's message.
//
// One family, IPv4, as in a cluster without dual stack. Addresses are taken from the upper part of the ranges first, so
// that people find those they ask for below it free.
//
// Thread-safety: pure functions; `taken` must not change between this and the write.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "flyball/apiserver/problems.hpp"
#include "flyball/base/random.hpp"
#include "flyball/kube/core/v1.hpp"

namespace flyball::apiserver {

struct ServiceRange {
  std::string cidr = "10.0.0.0/24";
  std::int32_t first_port = 30000;
  std::int32_t last_port = 32767;
  bool dry_run = false;  // node ports nobody asked for are made up, outside the range
};

struct TakenAddresses {
  std::set<std::string> ips = {};
  std::set<std::int32_t> ports = {};

  void add(const kube::core::v1::Service& service);
};

void allocate_service(kube::core::v1::Service& service, const kube::core::v1::Service* old, const ServiceRange& range,
                      const TakenAddresses& taken, Random& random, Problems& problems);

}  // namespace flyball::apiserver
