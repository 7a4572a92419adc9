# rhel_layout.sh -- a machine like those of RHEL: no apt, no static libraries, MPI's compilers only with a module. make
# says what is missing, builds without MPI, and with MPI once the module is loaded.
# no-san
# timeout 300
set -eu
fail() { echo "FAILED: $*"; tail -n 8 out err 2>/dev/null; exit 1; }

# All programs of this machine but these; a compiler that does not see what HIDDEN names.
mkdir -p usr/bin module/bin
cp -s /usr/bin/* usr/bin/ 2>/dev/null || true  # a name may be there twice
(cd usr/bin && rm -f apt* dpkg* sudo esbuild* mpi* pg_config g++ dnf zypper)
for name in mpicc mpicxx mpirun; do ln -s "$(command -v "$name")" module/bin/; done
printf '#!/bin/sh\necho "Complete!"\n' >usr/bin/dnf
cat >usr/bin/g++ <<'WRAPPER'
#!/bin/bash
real=$(PATH=/usr/local/bin:/usr/bin:/bin command -v g++)
for word; do
  case $word in
    -print-file-name=libstdc++.a) ;;
    -print-file-name=*.a) exec echo "${word#*=}" ;;
    -l:*.a) echo "ld: cannot find $word: No such file or directory" >&2; exit 1 ;;
    -l*) case " $HIDDEN " in *" $word "*) echo "ld: cannot find $word: No such file or directory" >&2; exit 1 ;; esac ;;
  esac
done
case " $* " in
  *" -E -P "*) for name in $HIDDEN; do hide="$hide;s|<$name>|<hidden/$name>|"; done; sed "${hide-}" | exec "$real" "$@" ;;
esac
exec "$real" "$@"
WRAPPER
chmod +x usr/bin/dnf usr/bin/g++
machine() { env -u MPICXX PATH="$PWD/usr/bin" CXX=g++ BUILD="$PWD/build" MAKEFLAGS= "$@" >out 2>err; }
build() { machine make -C "$TARRY_ROOT" --no-print-directory D3=/nowhere "$@"; }
export HIDDEN=none

echo "== something is missing that is needed: only the list appears, with the names of the packages"
HIDDEN="CLI/CLI.hpp -lotf2" build all && fail "is built"
[ ! -s out ] || fail "something is done"
[ "$(grep -c '^Tarry needs what is missing here' err)" = 1 ] || fail "no list"
grep -q '^  CLI11 2.1 (.*libcli11-dev | cli11-devel | cli11-devel | cli11$' err || fail "CLI11"
grep -q '^  OTF2 3 (.*libotf2-trace-dev | otf2-devel | - | otf2@3:$' err || fail "OTF2"
sed '/^Optional/,$d' err | grep -q 'zlib' && fail "zlib is there"
grep -q '^As root: dnf install cli11-devel otf2-devel' err || fail "no command"

echo "== only optional parts are missing: they are listed once, and said at the end"
HIDDEN=libpq-fe.h build -n all || fail "make -n"
grep -q '^Optional, and missing here' err || fail "no list"
for name in 'Open MPI or MPICH' PostgreSQL esbuild D3; do grep -q "^  $name" err || fail "$name is not listed"; done
grep -q '^Tarry needs' err && fail "is needed"
grep -q -- '-l:lib' out && fail "a static library"
grep -q -- '-ldeflate' out && grep -q -- '-ljemalloc' out && grep -q -- '-lcrypto' out || fail "no shared library"
grep -q 'postgres_database\|mpi-openmpi\|mpi-mpich' out && fail "is not left out"
tail -3 out | grep -qx 'echo "Built without MPI: no mpicxx found (MPICXX=mpicxx)."' || fail "MPI"
tail -3 out | grep -q 'Built without stores on PostgreSQL' || fail "PostgreSQL"
tail -3 out | grep -q "Built without 'tarry explore'" || fail "the explorer"
HIDDEN=libpq-fe.h build -n all || fail "make -n again"
[ ! -s err ] || fail "listed again"

echo "== make demo goes on to build, too"
build -n deps-demo || fail "make deps-demo"
machine "$TARRY_ROOT/bin/install-packages" build || fail "optional parts stop it"

echo "== other binutils, as cross builds have"
machine make -C "$TARRY_ROOT" -n AR=arm-ar OBJCOPY=arm-objcopy LD=arm-ld all && fail "they are not there"
grep -q '^  binutils ' err || fail "binutils"

echo "== a cross compiler with headers for plug-ins: its own, which run on another processor"
mkdir -p plugin/include && : >plugin/include/gcc-plugin.h
# gcc_for PROCESSOR: a compiler for it that runs on x86-64.
gcc_for() {
  cat >usr/bin/arm-g++ <<WRAPPER
#!/bin/sh
case "\$1" in
  -v) echo "Configured with: ../src/configure --build=x86_64-linux-gnu --host=x86_64-linux-gnu --target=$1-linux-gnu" >&2 ;;
  -dumpmachine) echo $1-linux-gnu ;;
  -print-file-name=plugin) echo "$PWD/plugin" ;;
  *) exec g++ "\$@" ;;
esac
WRAPPER
  chmod +x usr/bin/arm-g++
}
gcc_for aarch64
build -n CXX=arm-g++ all || fail "make -n"
grep -q 'arm-g++ .*processor/aarch64' out || fail "is not built for the other processor"
grep -q gcc-plugin out && fail "a plug-in for the cross compiler"
gcc_for x86_64
build -n CXX=arm-g++ all || fail "make -n"
grep -q gcc-plugin out || fail "no plug-in for a compiler of this processor"

echo "== a recorder without MPI, of the objects that are built already"
for part in obj/precompiled/base.hpp'*' obj/precompiled/measure.hpp'*' obj/lib/measure batch/lib; do
  mkdir -p "build/${part%/*}" && cp -rp "$TARRY_BUILD"/$part "build/${part%/*}/"
done
rm -rf build/batch/lib/measure/untested
libraries=$(for name in mpi heap io; do echo "$PWD/build/lib/libtarry-preload-$name.so"; done)
build $libraries || fail "make"
readelf -d build/lib/libtarry-mpi.so >needed
grep -q 'NEEDED.*libdeflate\.so' needed || fail "libdeflate is not shared"

. "$TARRY_ROOT/tests/pipeline/other_recorder.bash"
mv build without-mpi && use_recorder "$PWD/without-mpi"
"$MPICC" -std=gnu11 -O1 -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c"
status=0
tarry measure -t -o bare -- mpirun -np 2 ./end return 3 >out 2>err || status=$?
[ $status = 3 ] || fail "status $status"
[ "$(grep -c '^tarry' err)" = 1 ] || fail "not one line"
grep -q '^tarry-measure: warning: nothing was recorded: Tarry is built without MPI, as no mpicxx was found' err || fail "why"
# Functions are recorded all the same, and one process says what is not.
tarry instrument "$MPICC" -std=gnu11 -O1 -DROUNDS=5 -o functions "$TARRY_ROOT/tests/apps/end.c"
tarry measure -o functions-run -- mpirun -np 2 ./functions return 0 >out 2>err || fail "status $?"
[ "$(grep -c '^tarry: built without MPI, as no mpicxx was found: the calls of .Open MPI v.* are not recorded$' err)" = 1 ] ||
  fail "MPI's calls"
tarry cube calltree functions-run | grep -q ' main$' || fail "functions"

echo "== the module is loaded"
rm build
cp -s "$PWD"/module/bin/* usr/bin/
build -n all || fail "make -n"
grep -q 'Open MPI' err && fail "MPI is missing"
grep -q 'mpi-openmpi' out || fail "is not built for Open MPI"
grep -q 'Built without MPI' out && fail "built without MPI"

echo "== lib64 and DESTDIR"
build -n install DESTDIR=/image PREFIX=/usr LIBDIR=/usr/lib64 || fail "make -n install"
grep -q "LIBDIR='lib64' bin/install-tree \"/image/usr\"" out || fail "where"
exit 0
