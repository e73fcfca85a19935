# Third-party libraries, as imported targets flyball::<name>. Static archives, so that an operator is one file.
# The installed package includes this file too: it must work in a consumer's project.
include_guard(GLOBAL)
find_package(Threads REQUIRED)

# flyball_static_library(NAME ARCHIVE HEADER PACKAGE): finds ARCHIVE and the folder that holds HEADER; PACKAGE is
# the Debian package to name when it is missing, and the one our own package depends on.
function(flyball_static_library name archive header package)
  if(TARGET flyball::${name})
    return()
  endif()
  get_property(packages GLOBAL PROPERTY FLYBALL_DEBIAN_PACKAGES)
  if(NOT package IN_LIST packages)  # one package may hold several archives
    set_property(GLOBAL APPEND PROPERTY FLYBALL_DEBIAN_PACKAGES ${package})
  endif()
  find_library(FLYBALL_${name}_ARCHIVE NAMES ${archive})
  find_path(FLYBALL_${name}_INCLUDE NAMES ${header})
  mark_as_advanced(FLYBALL_${name}_ARCHIVE FLYBALL_${name}_INCLUDE)
  if(NOT FLYBALL_${name}_ARCHIVE OR NOT FLYBALL_${name}_INCLUDE)
    message(FATAL_ERROR "flyball: ${archive} or ${header} not found. Install it: apt-get install ${package}")
  endif()
  add_library(flyball::${name} STATIC IMPORTED GLOBAL)
  set_target_properties(flyball::${name} PROPERTIES
    IMPORTED_LOCATION "${FLYBALL_${name}_ARCHIVE}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${FLYBALL_${name}_INCLUDE}")
endfunction()

flyball_static_library(yaml-cpp libyaml-cpp.a yaml-cpp/yaml.h libyaml-cpp-dev)
flyball_static_library(crypto libcrypto.a openssl/crypto.h libssl-dev)
flyball_static_library(ssl libssl.a openssl/ssl.h libssl-dev)
flyball_static_library(z libz.a zlib.h zlib1g-dev)
flyball_static_library(zstd libzstd.a zstd.h libzstd-dev)
flyball_static_library(sqlite3 libsqlite3.a sqlite3.h libsqlite3-dev)
# OpenSSL loads engines and providers by name and runs its own once-functions.
set_target_properties(flyball::crypto PROPERTIES INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS}")
set_target_properties(flyball::ssl PROPERTIES INTERFACE_LINK_LIBRARIES flyball::crypto)
set_target_properties(flyball::sqlite3 PROPERTIES INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
