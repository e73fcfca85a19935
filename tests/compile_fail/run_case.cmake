# cmake -D COMPILER=… -D INCLUDE=… -D CASE=x.cpp -P run_case.cmake
set(ENV{LC_ALL} C)  # plain quotes in messages
file(STRINGS "${CASE}" expected REGEX "^// expect-error: ")
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${INCLUDE}" "${CASE}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(NOT expected)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${CASE} is a positive control and must compile, but:\n${output}")
  endif()
  return()
endif()
if(result EQUAL 0)
  message(FATAL_ERROR "${CASE} compiles, but must not: it says\n  ${expected}")
endif()
foreach(line IN LISTS expected)
  string(REPLACE "// expect-error: " "" pattern "${line}")
  # clang names the function of a failed constant expression in the note below the error.
  if(NOT output MATCHES "(error|note): [^\n]*${pattern}")
    message(FATAL_ERROR "${CASE} fails to compile for another reason. Expected an error that matches\n  ${pattern}\nfound\n${output}")
  endif()
endforeach()
