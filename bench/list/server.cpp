// A server that has N Pods and nothing else to do: lists them in JSON or protobuf, whole or in pages. Everything is
// encoded before the first request.
//
//   list_server POD.json 10000        prints its URL; ends when standard input does
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "flyball/base/clock.hpp"
#include "flyball/kube/core/v1.hpp"
#include "flyball/kube/protobuf.hpp"
#include "flyball/net/http_server.hpp"
#include "flyball/net/url.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace {

using namespace flyball;
using kube::core::v1::Pod;
using kube::core::v1::PodList;

struct Items {
  std::vector<std::string> json;
  std::vector<std::string> protobuf;
};

Items make_items(const std::string& text, std::size_t count) {
  Items items;
  auto pod = reflect::decode<Pod>(text);
  for (std::size_t i = 0; i < count; ++i) {
    pod.metadata.name = "checkout-" + std::to_string(i);
    pod.metadata.uid = "3f1c5b0e-6a77-4d0c-9a52-" + std::to_string(100'000'000'000 + i);
    pod.status.podIP =
        "10." + std::to_string(i / 65536 % 256) + "." + std::to_string(i / 256 % 256) + "." + std::to_string(i % 256);
    items.json.push_back(reflect::encode(pod));
    items.protobuf.push_back(kube::encode_message(reflect::type_of<Pod>(), &pod));
  }
  return items;
}

// Protobuf's length-delimited field 2, the items of every list.
void append_item(std::string& to, const std::string& item) {
  to += '\x12';
  std::size_t size = item.size();
  for (; size >= 0x80; size >>= 7U) to += static_cast<char>(size | 0x80U);
  to += static_cast<char>(size);
  to += item;
}

std::string page(const Items& items, std::size_t from, std::size_t to, bool protobuf) {
  PodList head;
  head.metadata.resourceVersion = "1";
  if (to < items.json.size()) head.metadata.continue_ = std::to_string(to);
  if (protobuf) {
    std::string message = kube::encode_message(reflect::type_of<PodList>(), &head);
    for (std::size_t i = from; i < to; ++i) append_item(message, items.protobuf[i]);
    return kube::seal_envelope({.api_version = "v1", .kind = "PodList", .object = message});
  }
  std::string text =
      R"({"kind":"PodList","apiVersion":"v1","metadata":)" + reflect::encode(head.metadata) + ",\"items\":[";
  for (std::size_t i = from; i < to; ++i) {
    if (i != from) text += ',';
    text += items.json[i];
  }
  return text + "]}";
}

void answer(const Items& items, const net::Request& request, net::ResponseWriter& writer) {
  std::size_t from = 0;
  std::size_t limit = items.json.size();
  const std::size_t mark = request.target.find('?');
  if (mark != std::string::npos) {
    for (const auto& [name, value] : net::Query::parse(std::string_view(request.target).substr(mark + 1))) {
      if (name == "limit" && value != "0") limit = std::strtoull(value.c_str(), nullptr, 10);
      if (name == "continue") from = std::strtoull(value.c_str(), nullptr, 10);
    }
  }
  const bool protobuf = request.headers.get("Accept").find("protobuf") != std::string_view::npos;
  net::Response response{.body = page(items, from, std::min(from + limit, items.json.size()), protobuf)};
  response.headers.set("Content-Type", protobuf ? "application/vnd.kubernetes.protobuf" : "application/json");
  writer.send(std::move(response));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: list_server POD.json COUNT\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const Items items = make_items(text, std::strtoull(argv[2], nullptr, 10));
  RealClock clock;
  net::HttpServer server(
      clock, {}, [&](const net::Request& request, net::ResponseWriter& writer) { answer(items, request, writer); });
  std::cout << server.url() << std::endl;
  while (std::getchar() != EOF) {
  }
}
