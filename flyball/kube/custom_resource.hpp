// CustomResource: a kind of your own, from two described structs.
//
//   using Memcached = CustomResource<"cache.example.com", "v1alpha1", "Memcached", MemcachedSpec, MemcachedStatus>;
//   FLYBALL_RESOURCE(Memcached, {.shortNames = {"mc"}, .columns = {{"Size", "integer", ".spec.size"}}})   // optional
//
//   Memcached m{.metadata = {.name = "sessions"}, .spec = {.size = 3}};
//   json::Value definition = crd<Memcached>();                  // crd.hpp
//
// It is a plain aggregate: metadata, spec, status. apiVersion and kind are part of the type, written and checked by the
// codec. Without a status type the resource has none.
//
// Thread-safety: a value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "flyball/kube/meta/v1.hpp"
#include "flyball/reflect/describe.hpp"

namespace flyball::kube {

// A string as a template argument.
template <std::size_t N>
struct Text {
  std::array<char, N> bytes{};
  constexpr Text() = default;
  constexpr Text(const char (&text)[N]) { std::copy_n(text, N, bytes.begin()); }  // NOLINT(*-explicit-*): a literal
  constexpr std::string_view view() const { return {bytes.data(), N - 1}; }
};

struct NoStatus {
  friend bool operator==(const NoStatus&, const NoStatus&) = default;
};
FLYBALL_DESCRIBE(NoStatus)

template <Text Group, Text Version, Text Kind, class SpecType, class StatusType = NoStatus>
struct CustomResource {
  using Spec = SpecType;
  using Status = StatusType;

  meta::v1::ObjectMeta metadata = {};
  SpecType spec = {};
  StatusType status = {};
};

namespace detail {

constexpr bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <std::size_t N>
struct Lower {
  std::array<char, N> bytes{};
  constexpr explicit Lower(std::string_view text) { std::transform(text.begin(), text.end(), bytes.begin(), lower); }
  constexpr std::string_view view() const { return {bytes.data(), N}; }
};

// The plural as English mostly has it, in lower case: Memcached → memcacheds, Proxy → proxies, Box → boxes.
template <std::size_t N>
struct Plural {
  std::array<char, N + 2> bytes{};
  std::size_t size = 0;

  constexpr explicit Plural(std::string_view kind) {
    for (const char c : kind) put(lower(c));
    const std::string_view name(bytes.data(), size);
    if (name.ends_with("y") && size > 1 && !is_one_of(name[size - 2], "aeiou")) {
      --size;
      put('i');
      put('e');
    } else if (name.ends_with("s") || name.ends_with("x") || name.ends_with("z") || name.ends_with("ch") ||
               name.ends_with("sh")) {
      put('e');
    }
    put('s');
  }
  constexpr void put(char c) { bytes[size++] = c; }
  constexpr std::string_view view() const { return {bytes.data(), size}; }
};

// Texts joined at compile time.
template <std::size_t N>
struct Joined {
  std::array<char, N> bytes{};
  constexpr explicit Joined(std::initializer_list<std::string_view> parts) {
    auto* to = bytes.data();
    for (const std::string_view part : parts) to = std::copy(part.begin(), part.end(), to);
  }
  constexpr std::string_view view() const { return {bytes.data(), N}; }
};

// What FLYBALL_RESOURCE says of the resource and whoever talks to the API server must know too.
template <class Resource>
struct Said {
  static constexpr bool kAnything = requires { flyball_resource(reflect::Tag<Resource>{}); };
  static constexpr auto options() { return flyball_resource(reflect::Tag<Resource>{}); }

  static constexpr auto short_names() { return options().shortNames; }
  static constexpr auto categories() { return options().categories; }

  // Joined by commas, with a zero at the end.
  template <auto Words>
  static constexpr auto kJoined = [] {
    constexpr std::size_t kSize = [] {
      std::size_t size = 1;
      for (const std::string_view word : Words()) size += word.size() + 1;
      return size;
    }();
    std::array<char, kSize> bytes{};
    auto* to = bytes.data();
    for (const std::string_view word : Words()) {
      if (to != bytes.data()) *to++ = ',';
      to = std::copy(word.begin(), word.end(), to);
    }
    return bytes;
  }();

  static constexpr void put_into(reflect::KindInfo& info) {
    if (!options().plural.empty()) info.plural = options().plural;
    if (!options().singular.empty()) info.singular = options().singular;
    info.short_names = kJoined<short_names>.data();
    info.categories = kJoined<categories>.data();
    info.namespaced = !options().clusterScoped;
  }
};

template <class Resource, Text Group, Text Version, Text Kind>
struct KindOf {
  static_assert(!Group.view().empty(), "a custom resource needs a group, such as \"cache.example.com\"");
  static_assert(!Version.view().empty(), "a custom resource needs a version, such as \"v1alpha1\"");
  static_assert(!Kind.view().empty() && Kind.view()[0] >= 'A' && Kind.view()[0] <= 'Z',
                "a kind is written in UpperCamel: \"Memcached\"");
  static constexpr Joined<Group.view().size() + 1 + Version.view().size()> kApiVersion{
      {Group.view(), "/", Version.view()}};
  static constexpr Joined<Kind.view().size() + 4> kList{{Kind.view(), "List"}};
  static constexpr Plural<Kind.view().size()> kPlural{Kind.view()};
  static constexpr Lower<Kind.view().size()> kSingular{Kind.view()};

  static constexpr reflect::KindInfo kInfo = [] {
    reflect::KindInfo info{.group = Group.view(),
                           .version = Version.view(),
                           .kind = Kind.view(),
                           .api_version = kApiVersion.view(),
                           .plural = kPlural.view(),
                           .singular = kSingular.view(),
                           .namespaced = true,
                           .list_kind = kList.view()};
    if constexpr (Said<Resource>::kAnything) Said<Resource>::put_into(info);
    return info;
  }();
};

}  // namespace detail
}  // namespace flyball::kube

namespace flyball::reflect::detail {

template <kube::Text Group, kube::Text Version, kube::Text Kind, class Spec, class Status>
struct Make<kube::CustomResource<Group, Version, Kind, Spec, Status>> {
  using Resource = kube::CustomResource<Group, Version, Kind, Spec, Status>;
  static constexpr bool kHasStatus = !std::is_same_v<Status, kube::NoStatus>;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
  static constexpr std::array<Field, 3> kFields = {{
      {.name = "metadata", .offset = offsetof(Resource, metadata), .type = &type_of<kube::meta::v1::ObjectMeta>},
      {.name = "spec", .offset = offsetof(Resource, spec), .type = &type_of<Spec>},
      {.name = "status", .offset = offsetof(Resource, status), .type = &type_of<Status>, .optional = true},
  }};
#pragma GCC diagnostic pop
  static constexpr std::array<std::uint16_t, 3> kSorted = {0, 1, 2};
  static constexpr std::size_t kCount = kHasStatus ? 3 : 2;

  static constexpr Type make() {
    Type type{.shape = Shape::structure, .name = Kind.view(), .element = nullptr};
    type.fields = std::span<const Field>(kFields).first(kCount);
    type.sorted = std::span<const std::uint16_t>(kSorted).first(kCount);
    type.kind = &kube::detail::KindOf<Resource, Group, Version, Kind>::kInfo;
    type.ops.prototype = []() -> const void* {
      static const Resource prototype{};
      return &prototype;
    };
    return type;
  }
};

}  // namespace flyball::reflect::detail

namespace flyball {
using kube::CustomResource;
}  // namespace flyball
