# Compiler and linker flags for every target. SLIPWAY_SANITIZE is empty, "address" (with undefined) or "thread".
set(SLIPWAY_SANITIZE "" CACHE STRING "sanitizer: empty, address or thread")

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Werror -fno-omit-frame-pointer
                    -ffunction-sections -fdata-sections)
add_link_options(-fuse-ld=lld-19 -Wl,--gc-sections)
# Boost.Asio: only what Linux and one event-loop thread need.
add_compile_definitions(BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                        SPDLOG_FMT_EXTERNAL)

if(SLIPWAY_SANITIZE STREQUAL "address")
  # fuzzer-no-link: coverage counters, so that the same objects serve the fuzzers. What is left out of undefined
  # are checks of pointers, which cost a fifth of the compile: AddressSanitizer stops at the bad access itself.
  add_compile_options(-fsanitize=address,undefined,fuzzer-no-link
                      -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
elseif(SLIPWAY_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
