# `cmake --install` and the Debian package.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(flyball_config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/flyball")
get_property(rooms GLOBAL PROPERTY FLYBALL_ROOMS)
list(TRANSFORM rooms PREPEND flyball_ OUTPUT_VARIABLE room_targets)

install(TARGETS flyball ${room_targets} EXPORT flyball ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# With their `detail` folders: public headers need those for members and templates. tools/check_rooms.py sees to it
# that nobody else includes them.
foreach(room IN LISTS rooms)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/flyball/${room}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/flyball"
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*_for_test.hpp" EXCLUDE)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/flyball/flyball.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/flyball")
install(EXPORT flyball NAMESPACE flyball:: FILE flyballTargets.cmake DESTINATION "${flyball_config_folder}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/flyballConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/flyballConfig.cmake" INSTALL_DESTINATION "${flyball_config_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/flyballConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/flyballConfig.cmake"
  "${PROJECT_BINARY_DIR}/flyballConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FlyballDependencies.cmake"
  DESTINATION "${flyball_config_folder}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)

# Our archives hold code compiled against the headers of these libraries and are linked with their archives later, on
# the user's machine: it must be the same minor version. (0.7.0+dfsg-8 gives ">= 0.7" and "<< 0.8~".)
function(flyball_debian_dependency package result)
  execute_process(COMMAND dpkg-query -W -f "\${Version}" ${package} OUTPUT_VARIABLE version ERROR_QUIET)
  if(NOT version MATCHES "^([0-9]+:)?([0-9]+)\\.([0-9]+)")
    set(${result} "${package}" PARENT_SCOPE)
    return()
  endif()
  math(EXPR next "${CMAKE_MATCH_3} + 1")
  set(prefix "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
  set(${result} "${package} (>= ${prefix}.${CMAKE_MATCH_3}), ${package} (<< ${prefix}.${next}~)" PARENT_SCOPE)
endfunction()

set(depends "")
get_property(packages GLOBAL PROPERTY FLYBALL_DEBIAN_PACKAGES)
foreach(package IN LISTS packages)
  flyball_debian_dependency(${package} dependency)
  list(APPEND depends "${dependency}")
endforeach()
list(JOIN depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME flyball)
set(CPACK_PACKAGE_CONTACT "The Flyball authors <flyball@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Kubernetes operator framework for C++")
set(CPACK_PACKAGE_DESCRIPTION "Headers and static libraries to write Kubernetes operators in C++20.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ (>= 4:12), cmake (>= 3.25)")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # for the programs in the package
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
