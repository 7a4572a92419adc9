# reopened.sh -- libraries that are opened and closed one after the other, at the same address: instrumented functions have
# the names of the library that is there.
# no-san
set -eu
fail() { echo "FAILED: $*"; exit 1; }
names="first second third"
for name in $names; do
  printf '%s\n' 'static volatile int sum;' \
    "static __attribute__((noinline)) void in_$name(void) { ++sum; }" \
    "void call_plugin(void) { in_$name(); ++sum; }" >$name.c
  tarry instrument gcc -O1 -fPIC -shared -o $name.so $name.c
done
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
tarry measure -q -s -o run -- ./opens ./first.so ./second.so ./third.so >addresses
[ "$(sort -u addresses | wc -l)" = 1 ] || { echo "the libraries lie at different addresses"; exit 77; }
tarry cube calltree run/summary.cubex >tree
for name in $names; do
  [ "$(grep -c " in_$name$" tree)" = 1 ] || fail "in_$name: $(cat tree)"
done
