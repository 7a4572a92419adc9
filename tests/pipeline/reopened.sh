# reopened.sh -- libraries that are opened and closed one after the other, at the same address: instrumented functions and
# user regions have the names of the library that is there, with call paths and without.
# no-san
set -eu
fail() { echo "FAILED: $*"; exit 1; }
names="first second third"
cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    void* const library = dlopen(names[i], RTLD_NOW);
    void (*const call)(void) = library ? (void (*)(void))dlsym(library, "call_plugin") : NULL;
    if (!call) return 1;
    call();
    printf("%p\n", (void*)call);
    dlclose(library);
  }
  return 0;
}
END
tarry instrument gcc -O1 -o opens opens.c -ldl

# reopen KINDS OPTIONS...: libraries that are built with these options have regions KIND_NAME.
reopen() {
  local kinds=$1 kind name
  shift
  for name in $names; do
    printf '%s\n' '#include <tarry/user.h>' 'static volatile int sum;' \
      "static __attribute__((noinline)) void in_$name(void) { ++sum; }" \
      "void call_plugin(void) { TARRY_REGION_BEGIN(\"region_$name\"); in_$name(); TARRY_REGION_END(\"region_$name\"); }" >$name.c
    tarry instrument "$@" gcc -O1 -fPIC -shared -o $name.so $name.c
  done
  has_own_names on
  has_own_names off
}

# has_own_names CALLPATHS: the regions of `kinds` of each library, once each.
has_own_names() {
  rm -rf run
  tarry measure -q -s --callpaths "$1" -o run -- ./opens ./first.so ./second.so ./third.so >addresses
  [ "$(sort -u addresses | wc -l)" = 1 ] || { echo "the libraries lie at different addresses"; exit 77; }
  tarry cube calltree run/summary.cubex >tree
  for name in $names; do
    for kind in $kinds; do
      [ "$(grep -c " ${kind}_$name$" tree)" = 1 ] || fail "--callpaths $1: ${kind}_$name: $(cat tree)"
    done
  done
}
reopen "in region"
reopen region --user
