// A pointer would quietly become `true` if the bool constructor took conversions.
// expect-error: could not convert 'number'|no viable conversion
#include "flyball/json/value.hpp"

flyball::json::Value value_of(const int* number) { return number; }
