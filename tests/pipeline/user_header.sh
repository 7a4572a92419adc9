# user_header.sh -- a program that marks regions with tarry/user.h is built by hand, with pkg-config and with CMake, from an
# installed tree: without the recorder the marks are empty, with it they are recorded.
# no-san
set -eu
for tool in pkg-config cmake; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
fail() { echo "FAILED: $*"; exit 1; }
BUILD=$TARRY_BUILD "$TARRY_ROOT/bin/install-tree" "$PWD/first"
mv first installed  # the files name no folder of their own
PATH=$PWD/installed/bin:$PATH
export PKG_CONFIG_PATH=$PWD/installed/lib/pkgconfig

mkdir program
cat >program/marked.c <<'C'
#include <stdio.h>
#include <tarry/user.h>
int main(void) {
  TARRY_REGION_BEGIN("assemble");
  for (int step = 0; step < 3; ++step) {
    TARRY_ITERATION_BEGIN("step", step);
    TARRY_ITERATION_END("step");
  }
  TARRY_REGION_END("assemble");
  puts(TARRY_IS_RECORDING() ? "recorded" : "alone");
  return 0;
}
C
cat >program/marked.cpp <<'C'
#include <tarry/user.h>
#include <cstdio>
int main() {
  TARRY_REGION("assemble");
  std::puts(TARRY_IS_RECORDING() ? "recorded" : "alone");
}
C

# empty PROGRAM: neither needs the recorder nor records.
empty() {
  readelf -d "$1" | grep -q 'NEEDED.*libtarry' && fail "$1 needs the recorder"
  [ "$("./$1")" = alone ] || fail "$1 alone"
}
# recorded PROGRAM: runs alone as ever; measured, its regions are in the summary.
recorded() {
  [ "$("./$1")" = alone ] || fail "$1 alone"
  [ "$(tarry measure -q -o "run-${1##*/}" -- "./$1")" = recorded ] || fail "$1 is not recorded"
  tarry cube calltree "run-${1##*/}" >tree
  grep -q ' assemble$' tree || { cat tree; fail "$1: the region is not in the summary"; }
}

CFLAGS="-std=c99 -Wall -Wextra -Werror -pedantic"
cc $CFLAGS $(tarry --cflags) -o by-hand program/marked.c
empty by-hand
cc $CFLAGS -DTARRY $(tarry --cflags) -o by-hand-recorded program/marked.c $(tarry --libs)
recorded by-hand-recorded
tarry instrument --user cc $CFLAGS -o instrumented program/marked.c
recorded instrumented
cc $CFLAGS $(pkg-config --cflags tarry) -o by-pc program/marked.c $(pkg-config --libs tarry)
empty by-pc
cc $CFLAGS $(pkg-config --cflags tarry-recorder) -o by-pc-recorded program/marked.c $(pkg-config --libs tarry-recorder)
recorded by-pc-recorded
[ "tarry $(pkg-config --modversion tarry)" = "$(tarry --version)" ] || fail "version of tarry.pc"

cat >program/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.13)
project(marked C CXX)
find_package(Tarry 0.1 REQUIRED)
add_executable(plain marked.c)
target_link_libraries(plain PRIVATE Tarry::user)
add_executable(with_recorder marked.c)
target_link_libraries(with_recorder PRIVATE Tarry::recorder)
add_executable(plain_cxx marked.cpp)
target_link_libraries(plain_cxx PRIVATE Tarry::user)
add_executable(cxx_with_recorder marked.cpp)
target_link_libraries(cxx_with_recorder PRIVATE Tarry::recorder)
if(NOT Tarry_EXECUTABLE)
  message(FATAL_ERROR "tarry is not found")
endif()
CMAKE
cmake -S program -B built -DCMAKE_PREFIX_PATH="$PWD/installed" >log 2>&1 && cmake --build built >>log 2>&1 || { cat log; fail "cmake"; }
for name in plain plain_cxx; do empty built/$name; done
for name in with_recorder cxx_with_recorder; do recorded built/$name; done
sed -i 's/Tarry 0.1/Tarry 7/' program/CMakeLists.txt
if cmake -S program -B newer -DCMAKE_PREFIX_PATH="$PWD/installed" >log 2>&1; then fail "a version that is not there is found"; fi
