# uninstall.sh -- an installation in lib64 is stripped and works; what is installed twice is removed at once, and nothing
# else is touched.
# no-san
set -eu
fail() { echo "FAILED: $*"; exit 1; }
install_tree() { BUILD=$TARRY_BUILD "$TARRY_ROOT/bin/install-tree" "$@"; }
mkdir -p shared/bin shared/lib64/other shared/empty && chmod 700 shared/bin
echo mine >shared/bin/mine
find shared -printf '%p %m\n' | sort >before

LIBDIR=lib64 install_tree shared
[ ! -e shared/lib ] || fail "there is a lib"
[ "$(stat -c %a shared/bin)" = 700 ] || fail "the mode of a folder has changed"
for file in shared/bin/tarry-report shared/lib64/tarry/libtarry-mpi.so; do
  readelf -SW "$file" | grep -q '\.debug_\|\.symtab' && fail "$file is not stripped"
done
(
  PATH=$PWD/shared/bin:$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$TARRY_ROOT/bin" | paste -sd:)
  [ "$(command -v tarry)" = "$PWD/shared/bin/tarry" ] || fail "PATH"
  "$MPICC" -O1 -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c"
  tarry measure -q -t -o run -- mpirun -np 4 ./late_sender >/dev/null
  tarry replay -q run
  tarry report run | grep -q 'Late Sender' || fail "no report"
  printf '#include <tarry/user.h>\nint main(void) { TARRY_REGION_BEGIN("solve"); TARRY_REGION_END("solve"); return 0; }\n' >marked.c
  cc -DTARRY $(tarry --cflags) -o by-tarry marked.c $(tarry --libs)
  if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$PWD/shared/lib64/pkgconfig
    cc -o by-pkg-config marked.c $(pkg-config --cflags --libs tarry-recorder)
  fi
  tarry instrument --user cc -o by-instrument marked.c
  for program in by-*; do
    readelf -d "$program" | grep -q 'lib64/tarry' || fail "$program does not find the recorder"
    tarry measure -q -o "run-$program" -- "./$program"
    tarry cube calltree "run-$program" | grep -q ' solve$' || fail "$program is not recorded"
  done
)

LIBDIR=lib64 install_tree shared
"$TARRY_ROOT/bin/uninstall-tree" shared
find shared -printf '%p %m\n' | sort | diff before - || fail "something else is there than before"
if "$TARRY_ROOT/bin/uninstall-tree" shared 2>err; then fail "removes what is not there"; fi
grep -q 'nothing is removed' err || fail "no message"

# A prefix that is not there, and symbols that stay.
STRIP='' install_tree "$PWD/new"
readelf -SW new/bin/tarry-report | grep -q '\.symtab' || fail "is stripped"
echo more >new/share/tarry/more
"$TARRY_ROOT/bin/uninstall-tree" new 2>err
[ "$(find new -type f)" = new/share/tarry/more ] || fail "$(find new -type f | head -3)"
grep -q 'new/share/tarry: is not empty' err || fail "not said"
rm new/share/tarry/more && rmdir new/share/tarry new/share new || fail "a folder is left"
if install_tree "$TARRY_ROOT" 2>err; then fail "installs into the source tree"; fi
grep -q 'is the source tree' err || fail "does not say why"
if LIBDIR=/elsewhere install_tree bad 2>err; then fail "any LIBDIR is taken"; fi
