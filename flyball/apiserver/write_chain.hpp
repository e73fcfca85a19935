// The chain of a write, from a decoded object to the store:
//
//   authenticate → authorise → decode → convert → default → mutate → validate → admit → store → encode
//
// The first three and the last are the verbs' (writes.cpp, patch.cpp); what is between stands here, once.
//
// Thread-safety: pure functions of a Context.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/kind_steps.hpp"
#include "flyball/apiserver/options.hpp"
#include "flyball/apiserver/written.hpp"

namespace flyball::apiserver {

// A new object as a client sent it: without what only the server sets, in its namespace, with its owners.
void begin_new(Context& context, Object& object, const WriteOptions& options);

// A new object.
Written create_object(Context& context, Object object, const WriteOptions& options);

// What an object becomes, given what it is. May be called again when somebody else was faster.
using Next = std::function<Object(const Object* live)>;

struct UpdateRequest {
  std::string name = {};
  Part part = Part::whole;
  bool create = false;            // what is not there is made
  bool uid_is_condition = false;  // PUT: another uid is a conflict; a patch cannot change it
  bool unchecked = false;         // the server itself writes what a client may not: no rules of the kind
};

Written update_object(Context& context, const UpdateRequest& request, const WriteOptions& options, const Next& next);

// Takes it out of the store. Returns its last text. Throws Outdated when somebody else was faster.
std::string erase_object(Context& context, Object object, Revision expected, bool dry_run);

// The object is of the namespace the path says, or of none.
void check_namespace(const Context& context, ObjectMeta& metadata);
// Owners that stand twice are taken once, with a warning.
void drop_repeated_owners(Context& context, ObjectMeta& metadata);

}  // namespace flyball::apiserver
