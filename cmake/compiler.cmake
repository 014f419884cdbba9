# Warnings, machine flags and sanitizers, as one interface target that every room links.
add_library(firn_compiler INTERFACE)
target_compile_features(firn_compiler INTERFACE cxx_std_20)
target_compile_options(firn_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:$<BUILD_INTERFACE:-Wall>>
                       $<$<COMPILE_LANGUAGE:CXX>:$<BUILD_INTERFACE:-Wextra>> $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>
                       $<$<COMPILE_LANGUAGE:CXX>:$<BUILD_INTERFACE:-Wno-restrict>>
                       $<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno> $<$<COMPILE_LANGUAGE:CXX>:-fno-trapping-math>)
if(FIRN_WERROR)
  target_compile_options(firn_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:$<BUILD_INTERFACE:-Werror>>)
endif()
if(NOT FIRN_PORTABLE)
  include(CheckCXXCompilerFlag)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(FIRN_NATIVE_FLAG -mcpu=native)
  else()
    set(FIRN_NATIVE_FLAG -march=native)
  endif()
  check_cxx_compiler_flag(${FIRN_NATIVE_FLAG} FIRN_HAS_NATIVE_FLAG)
  if(FIRN_HAS_NATIVE_FLAG)
    target_compile_options(firn_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${FIRN_NATIVE_FLAG}>)
  endif()
endif()
if(FIRN_SANITIZE)
  target_compile_options(firn_compiler INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${FIRN_SANITIZE}>
                         $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
                         $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  target_link_options(firn_compiler INTERFACE -fsanitize=${FIRN_SANITIZE})
endif()
find_package(Threads REQUIRED)
target_link_libraries(firn_compiler INTERFACE Threads::Threads)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
if(FIRN_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")  # sanitized code takes long to compile
endif()
find_program(FIRN_CCACHE ccache)
if(FIRN_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FIRN_CCACHE})
endif()
