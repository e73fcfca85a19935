// All Pods of a server, three fields of each, with Flyball.   list_flyball URL [json]
#include <iostream>
#include <string_view>

#include "list/digest.hpp"

#include "flyball/base/clock.hpp"
#include "flyball/base/random.hpp"
#include "flyball/client/client.hpp"
#include "flyball/client/http_transport.hpp"
#include "flyball/kube/core/v1.hpp"

using namespace flyball;

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: list_flyball URL [json]\n";
    return 2;
  }
  RealClock clock;
  Random random(1);
  client::HttpTransport transport(clock, {.server = net::Url::parse(argv[1])});
  const bool json = argc > 2 && std::string_view(argv[2]) == "json";
  const Client client(transport, clock, random, {.protobuf = !json});
  bench::Digest digest;
  for (const auto& pod : client.list<kube::core::v1::Pod>()) {
    digest.add(pod.metadata.name, pod.status.phase, pod.status.podIP);
  }
  digest.print();
}
