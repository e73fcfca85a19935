// flyball tree: what owns what, and how it is.
#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "cli/commands.hpp"
#include "cli/condition_text.hpp"
#include "cli/flags.hpp"
#include "cli/targets.hpp"
#include "cli/text_table.hpp"

namespace flyball::cli {
namespace {

struct Node {
  client::Resource resource = {};
  json::Value object = {};
};

class Forest {
 public:
  // Everything in the namespace (or everywhere) that can be listed; what we may not see is left out.
  Forest(Access& access, const std::string& in_namespace) {
    std::set<std::string> kinds;
    for (const client::ServedResource& one : access.client().mapper().all({})) {
      if (std::ranges::find(one.verbs, "list") == one.verbs.end() || one.resource.kind.kind == "Event") continue;
      if (!in_namespace.empty() && !one.resource.namespaced) continue;
      // Of several versions the first is the one to use.
      if (!kinds.insert(one.resource.kind.group + "/" + one.resource.kind.kind).second) continue;
      try {
        for (const json::Value& object : access.client().dynamic_at(one.resource).list({.namespace_ = in_namespace}))
          add({one.resource, object});
      } catch (const ApiError& error) {
        if (!error.is_forbidden() && !error.is_not_found() && error.reason() != Reason::MethodNotAllowed) throw;
      }
    }
  }

  // Those with children and without an owner that is there.
  std::vector<std::string> roots() const {
    std::vector<std::string> found;
    for (const auto& [uid, node] : nodes_) {
      if (children_.contains(uid) && !has_owner(node)) found.push_back(uid);
    }
    sort(found);
    return found;
  }

  void print(const std::string& root, bool colours, std::ostream& out) const {
    std::vector<std::pair<std::string, const Node*>> lines;
    collect(root, "", "", lines);
    std::size_t width = 0;
    for (const auto& [title, node] : lines) width = std::max(width, columns(title));
    for (const auto& [title, node] : lines) {
      const State state = state_of(node->object);
      out << title;
      if (!state.word.empty()) {
        const char* colour = state.good ? "\033[32m" : "\033[33m";
        out << std::string(width - columns(title) + 3, ' ') << (colours ? colour : "") << state.word
            << (colours ? "\033[0m" : "");
      }
      out << (state.why.empty() ? "" : "  " + state.why) << "\n";
    }
  }

  void put(Node node) { add(std::move(node)); }

 private:
  static std::string uid_of(json::View object) { return std::string(object["metadata"]["uid"].string_or("")); }

  void add(Node node) {
    const std::string uid = uid_of(node.object);
    if (uid.empty() || nodes_.contains(uid)) return;
    for (const json::View owner : node.object["metadata"]["ownerReferences"].items()) {
      children_[std::string(owner["uid"].string_or(""))].push_back(uid);
    }
    nodes_.emplace(uid, std::move(node));
  }

  bool has_owner(const Node& node) const {
    for (const json::View owner : node.object["metadata"]["ownerReferences"].items()) {
      if (nodes_.contains(std::string(owner["uid"].string_or("")))) return true;
    }
    return false;
  }

  std::string title(const std::string& uid) const {
    const Node& node = nodes_.at(uid);
    return title_of(node.resource, std::string(node.object["metadata"]["name"].string_or("")));
  }

  void sort(std::vector<std::string>& uids) const {
    std::ranges::sort(uids, {}, [this](const std::string& uid) { return title(uid); });
  }

  static std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as owners own owners; a circle is cut
  void collect(const std::string& uid, const std::string& lead, const std::string& below,
               std::vector<std::pair<std::string, const Node*>>& lines) const {
    lines.emplace_back(lead + title(uid), &nodes_.at(uid));
    const auto found = children_.find(uid);
    if (found == children_.end() || lines.size() > nodes_.size()) return;
    std::vector<std::string> children = found->second;
    sort(children);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool last = i + 1 == children.size();
      collect(children[i], below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "), lines);
    }
  }

  std::map<std::string, Node> nodes_;                         // by uid
  std::map<std::string, std::vector<std::string>> children_;  // by the owner's uid
};

int tree(const Given& given, Io& io) {
  Access access(given, io);
  if (given.arguments().empty()) {
    const Forest forest(access, given.on("all-namespaces") ? "" : access.namespace_of_choice());
    const auto roots = forest.roots();
    if (roots.empty()) io.err << "Nothing owns anything in namespace " << access.namespace_of_choice() << ".\n";
    for (const std::string& root : roots) forest.print(root, io.terminal, io.out);
    return kOk;
  }
  for (const Target& target : named_targets(access, given.arguments())) {
    Node node{target.resource, access.client().dynamic_at(target.resource).get(key_of(target, access))};
    const std::string root(node.object["metadata"]["uid"].string_or(""));
    Forest forest(access, key_of(target, access).namespace_);
    forest.put(std::move(node));
    forest.print(root, io.terminal, io.out);
  }
  return kOk;
}

}  // namespace

Command tree_command() {
  return {.name = "tree",
          .topic = Topic::objects,
          .summary = "what owns what, and how each of them is",
          .arguments = "[KIND NAME... | KIND/NAME...]",
          .most_arguments = 1000,
          .flags = with_access(
              {{.name = "all-namespaces", .letter = 'A', .help = "of every namespace, when nothing is named"}}),
          .examples = {{"flyball tree memcached/sample", "what the operator made for it"},
                       {"flyball tree", "everything in the namespace that owns something"}},
          .run = tree};
}

}  // namespace flyball::cli
