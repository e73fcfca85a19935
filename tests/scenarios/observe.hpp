// Observer: what a scenario's namespace looks like, in lines that are the same in every run.
//
//   Observer observer(world.client(), "s-deployment-create", {"Deployment", "Pod"});
//   Checkpoint seen = observer.look("created");
//   // Deployment web
//   //   status.readyReplicas: 3
//   // Pod web-<hash1>-<any> (3 times)
//   //   …
//   // Event Deployment web: Normal ScalingReplicaSet: Scaled up replica set web-<hash1> from 0 to 3
//
// What no two runs have in common is replaced: the namespace <ns>, times <time>, uids <uid>, hashes of templates
// <hash1> in the order of their revisions, the ends of generated names <any>, addresses and ports that the server
// chose <ip>, <port>. Objects that look the same become one, with their number. Events are those since the last look,
// each once: how often it was said depends on timing. Of workloads the template is left out, of pods most of the spec.
//
// Thread-safety: none.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "flyball/client/client.hpp"
#include "flyball/json/value.hpp"

namespace flyball::scenarios {

struct Checkpoint {
  std::string name;
  std::vector<std::string> lines = {};  // each whole: "Deployment web: status.readyReplicas: 3"
};

class Observer {
 public:
  Observer(client::Client& client, std::string space, std::vector<std::string> kinds)
      : client_(client), space_(std::move(space)), kinds_(std::move(kinds)) {}

  Checkpoint look(const std::string& name);
  // Names and hashes of what there is now: it may be gone at the next look, and events still tell of it.
  void learn();
  // Changes when anything does.
  std::string fingerprint();
  std::string normalized(std::string_view text) const;

 private:
  bool is_served(const kube::GroupVersionKind& kind);
  std::vector<json::Value> objects(const std::string& kind);
  void learn(const std::vector<json::Value>& objects);
  void learn_revision(json::View object, std::string_view label);
  std::vector<std::string> lines_of(json::View object) const;
  void section(std::string_view name, json::View value, std::vector<std::string>& lines, bool of_pod) const;
  std::string text_of(std::string_view key, json::View value) const;
  void events(std::vector<std::string>& lines);

  client::Client& client_;
  const std::string space_;
  const std::vector<std::string> kinds_;
  std::map<std::string, std::string> hashes_;  // to their symbols
  std::set<std::string> stems_;                // of generated names: "web-5d78b-"
  std::set<std::string> events_;               // that were shown
};

}  // namespace flyball::scenarios
