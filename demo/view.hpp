// View: the objects of the demo by owner, as a tree. On a terminal it is drawn over itself while things change.
//
//   Memcached/sample        2 of 3 ready
//   └─ Deployment/sample    2 of 3 available
//      └─ ReplicaSet/sample-6d5f
//         ├─ Pod/sample-6d5f-x2x9k  ● Running  10.244.0.5
#pragma once

#include <string>
#include <vector>

#include "print.hpp"
#include <flyball/flyball.hpp>
#include <flyball/kube/apps/v1.hpp>
#include <flyball/kube/core/v1.hpp>

namespace demo {

class View {
 public:
  explicit View(const flyball::Client& person) : person_(person) {}

  // Draws the tree of what belongs to this uid; on a terminal over the one before.
  void draw(const std::string& title, const std::string& uid) {
    if (!kTerminal) return;
    erase();
    for (const std::string& line : lines(title, uid)) {
      std::cout << "\033[2K  " << line << "\n";
      ++drawn_;
    }
    std::cout << std::flush;
  }
  // For good.
  void leave(const std::string& title, const std::string& uid) {
    erase();
    for (const std::string& line : lines(title, uid)) std::cout << (kTerminal ? "\033[2K  " : "  ") << line << "\n";
    std::cout << std::flush;
    drawn_ = 0;
  }

 private:
  struct Node {
    std::string text;
    std::string uid;
    std::vector<Node> children = {};
  };

  void erase() {
    if (drawn_ != 0) std::cout << "\033[" << drawn_ << "A\033[J";
    drawn_ = 0;
  }
  template <class T, class Text>
  std::vector<Node> owned(const std::string& owner, Text text) const {
    std::vector<Node> found;
    for (const T& one : person_.list<T>({.namespace_ = "default"})) {
      if (flyball::kube::find_owner(one.metadata, owner) == nullptr) continue;
      found.push_back({.text = text(one), .uid = one.metadata.uid});
    }
    return found;
  }
  static std::string pod_text(const flyball::kube::core::v1::Pod& pod) {
    const bool ready = flyball::is_ready(pod);
    const bool going = pod.metadata.deletionTimestamp.has_value();
    std::string text = "Pod/" + pod.metadata.name + "  ";
    text += going ? yellow("● Terminating") : ready ? green("● Running") : yellow("○ " + pod.status.phase);
    if (!pod.status.podIP.empty()) text += faint("  " + pod.status.podIP);
    for (const auto& container : pod.status.containerStatuses) {
      if (container.restartCount > 0) text += yellow("  restarts " + std::to_string(container.restartCount));
    }
    return text;
  }
  std::vector<std::string> lines(const std::string& title, const std::string& uid) const {
    namespace apps = flyball::kube::apps::v1;
    Node root{.text = title, .uid = uid};
    root.children = owned<apps::Deployment>(uid, [](const apps::Deployment& deployment) {
      return "Deployment/" + deployment.metadata.name + "  " + std::to_string(deployment.status.availableReplicas) +
             " of " + std::to_string(deployment.spec.replicas.value_or(1)) + " available";
    });
    for (Node& deployment : root.children) {
      deployment.children = owned<apps::ReplicaSet>(
          deployment.uid, [](const apps::ReplicaSet& set) { return "ReplicaSet/" + set.metadata.name; });
      for (Node& set : deployment.children) {
        set.children = owned<flyball::kube::core::v1::Pod>(set.uid, pod_text);
      }
    }
    std::vector<std::string> all{bold(root.text)};
    add(all, root, "");
    return all;
  }
  static void add(std::vector<std::string>& all, const Node& node, const std::string& indent) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const bool last = i + 1 == node.children.size();
      all.push_back(faint(indent + (last ? "└─ " : "├─ ")) + node.children[i].text);
      add(all, node.children[i], indent + (last ? "   " : "│  "));
    }
  }

  const flyball::Client& person_;
  std::size_t drawn_ = 0;
};

}  // namespace demo
