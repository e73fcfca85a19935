# How everything of ours is compiled: warnings, sanitizers, the compiler cache and the fast linker.
include_guard()

set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  find_program(FLYBALL_CCACHE ccache)
  find_program(FLYBALL_MOLD mold)
  mark_as_advanced(FLYBALL_CCACHE FLYBALL_MOLD)
  if(FLYBALL_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths are made relative, so that another clone or worktree finds what this one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${FLYBALL_CCACHE})
  endif()
  if(FLYBALL_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
find_package(Threads REQUIRED)

add_library(flyball_build INTERFACE)
target_compile_features(flyball_build INTERFACE cxx_std_20)
target_compile_options(flyball_build INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wimplicit-fallthrough
  # The stable_sort of libstdc++ 12 calls what it deprecates itself; clang reports that to its users.
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-Wno-deprecated-declarations>
  # g++ 12 reports false positives of these inside libstdc++ at -O2.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>)
if(FLYBALL_WERROR)
  target_compile_options(flyball_build INTERFACE -Werror)
endif()
if(FLYBALL_SANITIZE)
  target_compile_options(flyball_build INTERFACE -fsanitize=${FLYBALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(flyball_build INTERFACE -fsanitize=${FLYBALL_SANITIZE})
endif()
