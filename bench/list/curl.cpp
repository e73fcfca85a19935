// All Pods of a server, three fields of each, as most C++ programs do it today: libcurl into a string, nlohmann/json
// for the rest.   list_curl URL
#include <iostream>
#include <string>

#include "list/digest.hpp"
#include <curl/curl.h>
#include <nlohmann/json.hpp>

static std::size_t append(char* data, std::size_t size, std::size_t count, void* to) {
  static_cast<std::string*>(to)->append(data, size * count);
  return size * count;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: list_curl URL\n";
    return 2;
  }
  std::string body;
  CURL* curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, (std::string(argv[1]) + "/api/v1/pods").c_str());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  const CURLcode code = curl_easy_perform(curl);
  curl_easy_cleanup(curl);
  if (code != CURLE_OK) {
    std::cerr << "list_curl: " << curl_easy_strerror(code) << "\n";
    return 1;
  }
  const nlohmann::json list = nlohmann::json::parse(body);
  bench::Digest digest;
  for (const auto& pod : list["items"]) {
    digest.add(pod["metadata"]["name"].get_ref<const std::string&>(),
               pod["status"]["phase"].get_ref<const std::string&>(),
               pod["status"]["podIP"].get_ref<const std::string&>());
  }
  digest.print();
}
