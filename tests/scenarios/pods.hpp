// Pods: what nodes do, when a scenario says so: pods begin to run, fail, end.
//
// Thread-safety: none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "world.hpp"

#include "flyball/json/value.hpp"

namespace flyball::scenarios {

class Pods {
 public:
  Pods(World& world, std::string space) : world_(world), space_(std::move(space)) {}

  // ready, unready, succeed, fail: of the pods that are chosen by name, or labels and count, or all.
  // end: those that were told to end have ended. False for any other verb.
  bool act(std::string_view verb, json::View what);
  // Only of the first of them. False when there is none.
  bool act_on_one(std::string_view verb, json::View what);
  // Nothing that holds the namespace stays.
  void free_all();

 private:
  std::vector<json::Value> chosen(std::string_view verb, json::View what);
  json::Value status(std::string_view verb, json::View what, json::View pod);
  void write(std::string_view verb, json::View what, json::View pod);
  void end(json::View what);

  World& world_;
  const std::string space_;
  int addresses_ = 0;
};

}  // namespace flyball::scenarios
