# flyball_room(NAME [USES room...] [PRIVATE_LIBRARIES lib...] [TESTS_USE room...])
#
# A room is the folder flyball/NAME: every x.cpp in it and in its folders becomes the static library flyball::NAME,
# every x_test.cpp the test program flyball_NAME_tests, every x_fuzz.cpp a fuzz target. New files need no edit here.
include_guard()

if(FLYBALL_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  find_library(RAPIDCHECK_LIBRARY NAMES librapidcheck.a REQUIRED)
endif()

function(flyball_room name)
  cmake_parse_arguments(ROOM "" "" "USES;PRIVATE_LIBRARIES;TESTS_USE" ${ARGN})
  set(folder "${PROJECT_SOURCE_DIR}/flyball/${name}")
  set_property(GLOBAL APPEND PROPERTY FLYBALL_ROOMS ${name})

  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp" "${folder}/*/*.cpp")
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")

  add_library(flyball_${name} STATIC ${sources})
  add_library(flyball::${name} ALIAS flyball_${name})
  set_target_properties(flyball_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(flyball_${name} PUBLIC cxx_std_20)
  target_include_directories(flyball_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  list(TRANSFORM ROOM_USES PREPEND flyball::)
  target_link_libraries(flyball_${name}
    PUBLIC ${ROOM_USES} Threads::Threads
    PRIVATE $<BUILD_INTERFACE:flyball_build> ${ROOM_PRIVATE_LIBRARIES})

  if(FLYBALL_TESTS AND tests)
    list(TRANSFORM ROOM_TESTS_USE PREPEND flyball::)
    add_executable(flyball_${name}_tests ${tests})
    target_link_libraries(flyball_${name}_tests PRIVATE
      flyball_build flyball::${name} ${ROOM_TESTS_USE} GTest::gmock GTest::gtest_main ${RAPIDCHECK_LIBRARY})
    # Tests run in the repository's root: a path in the flags would keep clones from sharing ccache's hits.
    target_compile_definitions(flyball_${name}_tests PRIVATE FLYBALL_SOURCE_DIR=".")
    gtest_discover_tests(flyball_${name}_tests DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}."
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
      # Laws are tried on the same values every time: a failure can be repeated. RC_PARAMS by hand tries others.
      PROPERTIES TIMEOUT 120 LABELS ${name} ENVIRONMENT RC_PARAMS=seed=20261115)
  endif()

  if(FLYBALL_FUZZ)
    foreach(source IN LISTS fuzzers)
      get_filename_component(target "${source}" NAME_WE)
      set(target "${name}_${target}")
      add_executable(${target} ${source})
      target_link_libraries(${target} PRIVATE flyball_build flyball::${name})
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
      set_property(GLOBAL APPEND PROPERTY FLYBALL_FUZZERS ${target})
    endforeach()
  endif()
endfunction()
