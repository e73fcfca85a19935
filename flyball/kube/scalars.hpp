// Lets described structs hold Quantity, IntOrString, Time, MicroTime, Duration and Bytes.
//
//   struct CacheSpec { kube::Quantity memory = "64Mi"; };
//   FLYBALL_DESCRIBE(CacheSpec, (memory, "How much each pod may use."))
//
// Their JSON is Kubernetes': strings, except for the number an IntOrString may be; a Quantity may be read from a
// number.
#pragma once

#include <string_view>

#include "flyball/kube/bytes.hpp"
#include "flyball/kube/int_or_string.hpp"
#include "flyball/kube/quantity.hpp"
#include "flyball/kube/raw_json.hpp"
#include "flyball/kube/time.hpp"
#include "flyball/reflect/type.hpp"

namespace flyball::reflect {

template <>
struct Scalar<kube::Quantity> {
  static constexpr std::string_view kName = "Quantity";
  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"pattern":"^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$","x-kubernetes-int-or-string":true})";
  static void decode(json::Reader& from, kube::Quantity& to);
  static void encode(const kube::Quantity& from, json::TextWriter& to);
  static bool empty(const kube::Quantity&) { return false; }  // a struct in Go: omitempty does not leave it out
};

template <>
struct Scalar<kube::IntOrString> {
  static constexpr std::string_view kName = "IntOrString";
  static constexpr std::string_view kSchema =
      R"({"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true})";
  static void decode(json::Reader& from, kube::IntOrString& to);
  static void encode(const kube::IntOrString& from, json::TextWriter& to);
  static bool empty(const kube::IntOrString& of) { return of.is_int() && of.as_int() == 0; }
};

template <>
struct Scalar<kube::Time> {
  static constexpr std::string_view kName = "Time";
  static constexpr std::string_view kSchema = R"({"type":"string","format":"date-time"})";
  static void decode(json::Reader& from, kube::Time& to);
  static void encode(const kube::Time& from, json::TextWriter& to);
  static bool empty(const kube::Time& of) { return of.is_zero(); }
};

template <>
struct Scalar<kube::MicroTime> {
  static constexpr std::string_view kName = "MicroTime";
  static constexpr std::string_view kSchema = R"({"type":"string","format":"date-time"})";
  static void decode(json::Reader& from, kube::MicroTime& to);
  static void encode(const kube::MicroTime& from, json::TextWriter& to);
  static bool empty(const kube::MicroTime& of) { return of.is_zero(); }
};

template <>
struct Scalar<kube::Duration> {
  static constexpr std::string_view kName = "Duration";
  static constexpr std::string_view kSchema = R"({"type":"string"})";
  static void decode(json::Reader& from, kube::Duration& to);
  static void encode(const kube::Duration& from, json::TextWriter& to);
  static bool empty(const kube::Duration& of) { return of.nanos() == 0; }
};

template <>
struct Scalar<kube::Bytes> {
  static constexpr std::string_view kName = "Bytes";
  static constexpr std::string_view kSchema = R"({"type":"string","format":"byte"})";
  static void decode(json::Reader& from, kube::Bytes& to);
  static void encode(const kube::Bytes& from, json::TextWriter& to);
  static bool empty(const kube::Bytes& of) { return of.empty(); }
};

template <>
struct Scalar<kube::RawJson> {
  static constexpr std::string_view kName = "RawJson";
  static constexpr std::string_view kSchema = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";
  static void decode(json::Reader& from, kube::RawJson& to);
  static void encode(const kube::RawJson& from, json::TextWriter& to);
  static bool empty(const kube::RawJson& of) { return of.empty(); }
};

}  // namespace flyball::reflect
