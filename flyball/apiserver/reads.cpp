#include "flyball/apiserver/reads.hpp"

#include <algorithm>
#include <utility>

#include "flyball/apiserver/go_errors.hpp"
#include "flyball/apiserver/render.hpp"
#include "flyball/json/parse.hpp"
#include "flyball/json/write.hpp"
#include "flyball/kube/bytes.hpp"
#include "flyball/kube/go_text.hpp"

namespace flyball::apiserver {
namespace {

constexpr std::string_view kOldToken =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list.";
constexpr std::string_view kOldRevision = "The resourceVersion for the provided list is too old.";
constexpr std::size_t kChunk = 1000;

// Whether the list must show exactly that revision: asked for, or by the old rule of paged lists.
bool is_exact(const ListOptions& options) {
  if (!options.revision || *options.revision == 0) return false;
  if (options.match == "Exact") return true;
  return options.match.empty() && options.limit > 0;
}

struct Found {
  std::vector<Bytes> texts = {};
  std::string last = {};  // key of the last one looked at
  Revision revision = 0;
  std::size_t remaining = 0;
};

class Lister {
 public:
  Lister(Context& context, const ListOptions& options)
      : context_(context), options_(options), everything_(selects_everything(options)) {
    if (context.resource->namespaced && !context.call.namespace_.empty()) prefix_ = context.call.namespace_ + "/";
  }

  Found run(Revision at, std::string after) {
    Found found{.revision = at};
    const auto limit = static_cast<std::size_t>(std::max<std::int64_t>(options_.limit, 0));
    for (;;) {
      const std::size_t wanted = limit == 0 ? 0 : everything_ ? limit - found.texts.size() : kChunk;
      const Page page = context_.world.store.list(
          context_.resource->shelf, {.prefix = prefix_, .after = after, .limit = wanted, .at = found.revision});
      found.revision = page.revision;
      found.remaining = page.remaining;
      for (std::size_t i = 0; i < page.items.size(); ++i) {
        take(page.items[i].second, found);
        found.last = page.items[i].first;
        if (limit != 0 && found.texts.size() == limit) {
          found.remaining = page.remaining + page.items.size() - i - 1;
          return found;
        }
      }
      if (page.remaining == 0) return found;
      after = found.last;
    }
  }

 private:
  void take(const Stored& stored, Found& found) const {
    // Selectors speak of the version that was asked for.
    Bytes text = in_version(*context_.resource, stored.bytes);
    if (everything_ || selected(options_, json::parse(*text))) found.texts.push_back(std::move(text));
  }

  Context& context_;
  const ListOptions& options_;
  const bool everything_;
  std::string prefix_;
};

// Where the list begins and what it shows; throws the refusals of revisions that cannot be served.
Found find(Context& context, const ListOptions& options) {
  Lister lister(context, options);
  const Revision now = context.world.store.revision();
  if (!options.continue_.empty()) {
    if (options.revision && *options.revision != 0) {
      throw refuse::bad_request("specifying resource version is not allowed when using continue");
    }
    Continue token = Continue::parse(options.continue_);
    try {
      return lister.run(token.revision > 0 ? token.revision : 0, token.after);
    } catch (const Compacted&) {
      throw refuse::expired(std::string(kOldToken), Continue{.revision = -1, .after = token.after}.text());
    }
  }
  if (options.revision && *options.revision > now) throw refuse::too_large_version(*options.revision, now);
  try {
    return lister.run(is_exact(options) ? *options.revision : 0, {});
  } catch (const Compacted&) {
    throw refuse::expired(std::string(kOldRevision));
  }
}

}  // namespace

bool selects_everything(const ListOptions& options) {
  return options.labels.is_everything() && options.fields.is_everything();
}

bool selected(const ListOptions& options, json::View object) {
  const json::View labels = object["metadata"]["labels"];
  const auto label = [&](const std::string& key) -> std::optional<std::string_view> {
    const json::View value = labels[key];
    if (!value.is_string()) return std::nullopt;
    return value.as_string();
  };
  return options.labels.matches_with(label) &&
         options.fields.matches([&](std::string_view field) { return field_text(object, field); });
}

Bytes load_text(Context& context, std::string_view name) {
  const auto stored = context.world.store.find(context.store_key(name));
  if (!stored) throw refuse::not_found(context.resource->group_resource(), name);
  return in_version(*context.resource, stored->bytes);
}

net::Response get(Context& context) {
  if (const std::string_view asked = context.call.query["resourceVersion"]; !asked.empty()) {
    const auto parsed = parse_revision(asked);
    if (!parsed) {
      Problems wrong;
      wrong.invalid(FieldPath("resourceVersion"), asked,
                    "strconv.ParseUint: parsing " + kube::go::quote(asked) + ": invalid syntax");
      throw Refusal({.code = 500, .message = wrong.text()}, {.present = false, .reason = false});
    }
    const Revision revision = *parsed;
    const Revision now = context.world.store.revision();
    if (revision > now) throw refuse::too_large_version(revision, now);
  }
  return render_object(context, 200, *load_text(context, context.call.name));
}

net::Response list(Context& context) {
  const ListOptions options = list_options(context.call, *context.resource);
  Found found = find(context, options);
  ListHead head{.revision = found.revision};
  if (found.remaining > 0) {
    head.continue_ = Continue{.revision = found.revision, .after = found.last}.text();
    if (selects_everything(options)) head.remaining = static_cast<std::int64_t>(found.remaining);
  }
  return render_list(context, found.texts, head);
}

std::string Continue::text() const {
  const json::Value token =
      json::object({{"v", "meta.k8s.io/v1"}, {"rv", revision}, {"start", after + std::string(1, '\0')}});
  std::string text = kube::to_base64(json::write(token));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

Continue Continue::parse(std::string_view text) {
  std::string padded(text);
  std::ranges::replace(padded, '-', '+');
  std::ranges::replace(padded, '_', '/');
  while (padded.size() % 4 != 0) padded.push_back('=');
  const std::string decoded = kube::from_base64(padded).value_or("");
  try {
    const json::Value token = json::parse(decoded);
    std::string start(token["start"].as_string());
    if (start.ends_with('\0')) start.pop_back();
    return {.revision = token["rv"].as_int(), .after = std::move(start)};
  } catch (const Error& error) {
    const std::string syntax = go_syntax_error(decoded);
    throw refuse::bad_request("invalid continue token: continue key is not valid: " +
                              (syntax.empty() ? std::string(error.what()) : syntax));
  }
}

}  // namespace flyball::apiserver
