// Admission webhooks: mutating ones may change what is written, validating ones may refuse it.
//
//   Reinvocation rounds;
//   run_mutating_webhooks(context, asked, rounds);
//   if (rounds.wanted) { rounds.again = true; … everything that may change it, and the webhooks, once more }
//   run_validating_webhooks(context, asked);
//
// No lock of the store is held while a webhook is waited for.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "flyball/apiserver/admission/attributes.hpp"

namespace flyball::apiserver {

// Mutating webhooks are asked in order, and those that want it once more when a later one changed the object.
struct Reinvocation {
  bool again = false;                      // this is the second round
  bool wanted = false;                     // a webhook changed something
  std::set<std::string> asked = {};        // those that want to be asked again
  std::set<std::string> due = {};          // of them, those after whom something changed
  std::optional<json::Value> output = {};  // the object as the webhooks of the first round left it
};

// Puts another object in the place of `asked.object` when a webhook patches it.
void run_mutating_webhooks(Context& context, Attributes& asked, Reinvocation& rounds);
// Asks all of them; the first that refuses is the one that is told.
void run_validating_webhooks(Context& context, const Attributes& asked);

}  // namespace flyball::apiserver
