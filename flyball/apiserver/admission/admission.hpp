// Admission: who may change or refuse a write between defaults and the store. The server itself first, then mutating
// webhooks; after validation, validating webhooks, which see what will be stored.
//
//   mutate(context, object, &live);                // may put another object in its place
//   … validate …
//   admit(context, object, &live);
//
// Errors are Refusals in kube-apiserver's words. Thread-safety: pure functions of a Context; no lock is held while
// webhooks are asked.
#pragma once

#include "flyball/apiserver/context.hpp"
#include "flyball/apiserver/object.hpp"
#include "flyball/apiserver/options.hpp"

namespace flyball::apiserver {

// May change the object. `old` is null on create.
void mutate(Context& context, Object& object, const Object* old);
// May refuse it. `old` is null on create.
void admit(Context& context, Object& object, const Object* old);
// May refuse that it is deleted.
void admit_removal(Context& context, const Object& old, const DeleteOptions& options);
// Both for what is written through a subresource and is of another kind: Scale, Binding, Eviction.
void admit_part(Context& context, Object& part, const Object* old);

// A new object's namespace must be there, and not on its way out.
void check_namespace_lives(Context& context, const std::string& object);

}  // namespace flyball::apiserver
