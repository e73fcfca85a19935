// A value does not change: assigning to what [] gives would be lost, so it does not compile.
// expect-error: discards qualifiers|no match for .operator=|use of deleted function|no viable overloaded '='
#include "flyball/json/value.hpp"

int main() {
  const flyball::json::Value pod = flyball::json::object({{"spec", 1}});
  pod["spec"] = flyball::json::Value(2);
}
