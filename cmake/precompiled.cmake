# How whole builds stay short. Both change how files are compiled, never what they mean; switch both
# off to see whether each file includes what it uses (`make tidy` does).
option(FIRN_PRECOMPILED "Read common headers once for all files that share flags" ON)
option(FIRN_JOINED "Compile the files of outer rooms together, some at a time" ON)
set(FIRN_TOGETHER 12)

# The flag of files in which nothing is hot.
set(FIRN_QUICK $<$<CONFIG:Release>:-O1>)

set(FIRN_STANDARD_HEADERS
    <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <filesystem>
    <fstream> <functional> <limits> <map> <memory> <mutex> <optional> <random> <set> <sstream> <string>
    <string_view> <thread> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>)
# With the settings of a scene, which files of the rooms above `scene` nearly all know.
set(FIRN_SCENE_HEADERS ${FIRN_STANDARD_HEADERS} "\"scene/settings.h\"" "\"particles/point_table.h\"")

# firn_precompiled(name headers... [LINK targets...] [OPTIONS flags...]): headers compiled once with the
# flags of rooms, and others.
function(firn_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 HEADERS "" "" "LINK;OPTIONS")
  if(NOT FIRN_PRECOMPILED)
    return()
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE firn_compiler ${HEADERS_LINK})
  target_compile_options(${name} PRIVATE ${HEADERS_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${HEADERS_UNPARSED_ARGUMENTS})
endfunction()

# firn_use_precompiled(target name): what firn_precompiled made; the flags of both must be equal.
function(firn_use_precompiled target name)
  if(NOT FIRN_PRECOMPILED)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)  # -fPIE otherwise
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# firn_headers_of_program(target headers...): headers of the scene and others, with the target's flags.
# Not worth it where all files of the target are compiled as one or two.
function(firn_headers_of_program target)
  if(FIRN_PRECOMPILED AND NOT FIRN_JOINED)
    target_precompile_headers(${target} PRIVATE ${FIRN_SCENE_HEADERS} ${ARGN})
  endif()
endfunction()

# firn_joined(targets...): their files are compiled some at a time. Not for rooms whose arithmetic
# ends up in frames: what is inlined decides where the compiler fuses products and sums.
function(firn_joined)
  if(FIRN_JOINED)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${FIRN_TOGETHER})
  endif()
endfunction()
