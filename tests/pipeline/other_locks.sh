# other_locks.sh -- a lock that is not the recorder's does not compile in lib/measure.
# no-san
set -u
fail() { echo "$1"; exit 1; }

# A copy of the tree with one more file of the recorder; what was compiled before serves it.
mkdir -p tree/build/obj
for part in Makefile bench bin docs packaging tests tools; do ln -s "$TARRY_ROOT/$part" tree/; done
cp -a "$TARRY_ROOT/lib" tree/
cp -a "$TARRY_BUILD/obj/precompiled" tree/build/obj/
cd tree || exit 1
planted=lib/measure/metrics/planted.cpp

# compile TEXT [VARIABLES OF MAKE...]: compiles it as a file of the recorder.
compile() {
  printf '// planted.cpp -- a lock.\n#include <mutex>\n#include <pthread.h>\nnamespace tarry::measure {\n%s\n}\n' "$1" >$planted
  shift
  rm -f build/obj/lib/measure/metrics/planted.o
  make -s BATCH=0 "$@" build/obj/lib/measure/metrics/planted.o >log 2>&1
}

compile 'int planted = 0;' || { cat log; fail "a harmless file does not compile"; }
while read -r text; do
  ! compile "$text" || fail "this compiles: $text"
  grep -q "poisoned" log || { cat log; fail "this fails for another reason: $text"; }
done <<'END'
std::mutex planted;
void planted() { pthread_mutex_t m; pthread_mutex_lock(&m); }
template <class M> void planted(M& m) { std::lock_guard lock(m); }
template <class M> void planted(M& m) { std::unique_lock lock(m); }
template <class M> void planted(M& m) { std::scoped_lock lock(m); }
std::once_flag planted;
std::condition_variable planted;
std::atomic_flag planted;
void planted() { pthread_once_t once = PTHREAD_ONCE_INIT; pthread_once(&once, [] {}); }
END
