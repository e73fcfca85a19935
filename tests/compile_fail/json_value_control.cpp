// The positive control of the json_value_* cases.
#include "flyball/json/value.hpp"

flyball::json::Value from_text(const char* text) { return text; }
flyball::json::View part_of(const flyball::json::Value& pod) { return pod["spec"]; }
