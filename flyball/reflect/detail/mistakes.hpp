// The compile errors of FLYBALL_DESCRIBE. Private to the room.
//
// None of these is defined. A check calls the one that fits in a constant expression, and the compiler stops with
// "call to non-constexpr function flyball::reflect::mistake::…".
#pragma once

namespace flyball::reflect::mistake {

void minimum_and_its_kin_apply_to_numbers();
void a_bound_of_an_integer_must_be_a_whole_number();
void minimum_is_greater_than_maximum();
void a_count_must_be_a_whole_number_of_zero_or_more();
void min_length_and_its_kin_apply_to_strings();
void min_length_is_greater_than_max_length();
void pattern_has_unbalanced_brackets();
void pattern_is_empty();
void pattern_repeats_nothing_or_too_often();
void pattern_looks_around_or_back_which_kubernetes_does_not_know();
void min_items_and_its_kin_apply_to_lists();
void min_items_is_greater_than_max_items();
void min_properties_and_its_kin_apply_to_maps_and_structs();
void min_properties_is_greater_than_max_properties();
void list_type_must_be_atomic_set_or_map();
void list_type_map_needs_list_map_key();
void list_map_key_needs_list_type_map();
void list_map_key_applies_to_lists_of_structs();
void list_map_key_is_not_a_field_of_the_element();
void map_type_applies_to_maps_and_must_be_granular_or_atomic();
void struct_type_applies_to_structs_and_must_be_granular_or_atomic();
void items_applies_to_lists_and_maps();
void inlined_applies_to_structs();
void alternatives_applies_to_variants_and_names_each_once();
void nullable_applies_to_optional_and_box();
void a_field_cannot_be_both_required_and_optional();
void an_optional_cannot_be_required();
void the_same_attribute_is_given_twice();
void two_fields_have_the_same_name();
void one_of_names_something_that_is_not_a_field();
void one_of_needs_at_least_two_names();
void one_of_belongs_to_self();
void rule_is_empty();
void rule_reason_is_not_one_of_the_four_kubernetes_knows();
void preserve_unknown_applies_to_structs_maps_and_json();
void embedded_resource_applies_to_structs_and_json();
void int_or_string_applies_to_json();
void multiple_of_must_be_greater_than_zero();
void two_enum_values_have_the_same_name();
void json_name_is_empty();
void a_variant_must_be_a_field_itself_with_monostate_for_none();
void wrap_applies_to_scalars_lists_and_maps();
void this_attribute_belongs_to_a_field_and_not_to_a_wrapped_type();

}  // namespace flyball::reflect::mistake
