// Parts of strategic_merge: what it says of wrong patches, and where the items of a merged list stand.
//
// Thread-safety: pure functions.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "flyball/apiserver/strategic_merge.hpp"
#include "flyball/json/value.hpp"

namespace flyball::apiserver::detail {

using List = std::vector<json::View>;

inline constexpr std::string_view kPatchMarker = "$patch";

[[noreturn]] void fail(const std::string& message);                        // answered with 500
[[noreturn]] void fail_kind(std::string_view expected, json::View found);  // expected a …, but received a …
[[noreturn]] void fail_no_merge_key(json::View item, std::string_view merge_key);
[[noreturn]] void fail_element_order();  // 400

List list_of(json::View array);

// Equality of Go's interface values: 1 is not 1.0. Throws for lists and objects, which Go cannot compare.
bool same(json::View a, json::View b);

// What all items are. Throws when they differ, when they are lists, and when there are none.
json::Kind element_kind(const List& first, const List& second);

// The item whose merge key has that value, or items.size().
std::size_t find_item(const List& items, std::size_t count, std::string_view merge_key, json::View value);

// Those in `by`, and the others. Items are objects when there is a merge key.
std::pair<List, List> partition(const List& items, const List& by, std::string_view merge_key);

// Sorts the items of the patch by one order and those only the server has by another, and weaves the second into the
// first where the server had them.
List in_order(List patch, List server_only, const List& patch_order, const List& server_order,
              std::string_view merge_key, json::Kind kind);

// Items of the patch must stand in the order that $setElementOrder gives, and be in it.
void check_order(const List& patch, const List& order, std::string_view merge_key);

}  // namespace flyball::apiserver::detail
