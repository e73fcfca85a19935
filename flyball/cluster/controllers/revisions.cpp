#include "flyball/cluster/controllers/revisions.hpp"

#include <algorithm>
#include <utility>

#include "flyball/cluster/controllers/claim.hpp"
#include "flyball/cluster/controllers/pods.hpp"
#include "flyball/cluster/controllers/template_hash.hpp"
#include "flyball/json/builder.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/reflect/decode.hpp"
#include "flyball/reflect/encode.hpp"

namespace flyball::cluster {

namespace apps = kube::apps::v1;
namespace core = kube::core::v1;

namespace {

// A strategic merge patch that brings the template back.
json::Value data_of(const core::PodTemplateSpec& pattern) {
  const json::Value whole = json::parse(reflect::encode(pattern));
  json::Builder b;
  b.begin_object().key("spec").begin_object().key("template").begin_object();
  b.key("$patch").string("replace");
  for (const auto& [key, value] : whole.entries()) b.key(key).value(value);
  b.end().end().end();
  return b.finish();
}

}  // namespace

core::PodTemplateSpec Revisions::template_of(const apps::ControllerRevision& revision) {
  return reflect::decode<core::PodTemplateSpec>(json::write(revision.data["spec"]["template"]));
}

Revisions::Revisions(Context& ctx, const apps::StatefulSet& set) : ctx_(ctx), set_(set) {
  const auto any = [](const apps::ControllerRevision&) { return true; };
  all_ = claim<apps::ControllerRevision>(ctx, set, selector_of(set.spec.selector), any);
  std::ranges::sort(all_, {}, &apps::ControllerRevision::revision);
  find_or_make();
  const auto current =
      std::ranges::find(all_, set.status.currentRevision, [](const auto& revision) { return revision.metadata.name; });
  current_ = current == all_.end() ? update_ : static_cast<std::size_t>(current - all_.begin());
}

void Revisions::find_or_make() {
  const std::int64_t next = all_.empty() ? 1 : all_.back().revision + 1;
  const auto same =
      std::ranges::find_if(all_, [&](const auto& revision) { return template_of(revision) == set_.spec.template_; });
  if (same == all_.end()) {
    all_.push_back(make(next));
  } else if (same + 1 != all_.end()) {
    apps::ControllerRevision renewed = *same;
    renewed.revision = next;
    renewed = ctx_.update(*same, renewed);
    all_.erase(same);
    all_.push_back(std::move(renewed));
  }
  update_ = all_.size() - 1;
}

apps::ControllerRevision Revisions::make(std::int64_t number) {
  // The number of tries takes the place of Kubernetes' collision count, which is kept in the status.
  for (std::int32_t tries = set_.status.collisionCount.value_or(0);; ++tries) {
    const std::string hash = template_hash(set_.spec.template_, tries);
    Labels labels = set_.spec.template_.metadata.labels;
    labels["controller.kubernetes.io/hash"] = hash;
    try {
      return ctx_.create(apps::ControllerRevision{.metadata = {.name = set_.metadata.name + "-" + hash,
                                                               .labels = std::move(labels),
                                                               .annotations = set_.metadata.annotations},
                                                  .revision = number,
                                                  .data = data_of(set_.spec.template_)});
    } catch (const ApiError& error) {
      constexpr std::int32_t kMost = 10;
      if (!error.is_already_exists() || tries >= kMost) throw;
    }
  }
}

void Revisions::forget_oldest(const std::set<std::string>& in_use) {
  std::vector<const apps::ControllerRevision*> unused;
  for (const auto& revision : all_) {
    const std::string& name = revision.metadata.name;
    const bool live = in_use.contains(name) || name == update().metadata.name || name == set_.status.currentRevision;
    if (!live) unused.push_back(&revision);
  }
  const auto limit = static_cast<std::size_t>(std::max(0, set_.spec.revisionHistoryLimit.value_or(10)));
  for (std::size_t i = 0; i + limit < unused.size(); ++i) ctx_.delete_(*unused[i]);
}

}  // namespace flyball::cluster
