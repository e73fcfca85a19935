// A Value is shared and immutable: editing goes through json::Draft.
// expect-error: no match for 'operator='|no viable overloaded '='
#include "flyball/json/value.hpp"

void scale(const flyball::json::Value& deployment) { deployment["spec"]["replicas"] = 3; }
