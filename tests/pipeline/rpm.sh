# rpm.sh -- the RPM packages: what is in them, what they need; unpacked, they work from lib64.
# long
# serial
# no-san
# timeout 600
set -eu
for tool in rpmbuild rpm2cpio cpio; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
fail() { echo "FAILED: $*"; exit 1; }
export SOURCE_DATE_EPOCH=1700000000
BUILD=$TARRY_BUILD "$TARRY_ROOT/packaging/rpm/make-rpm" packages >log 2>&1 || { cat log; fail "make-rpm"; }
ls packages
for name in tarry tarry-devel tarry-doc; do
  set -- packages/"$name"-[0-9]*.rpm
  [ -f "$1" ] && [ $# -eq 1 ] || fail "no package $name"
  rpm -qpl "$1" >"$name.list"
  mkdir -p root && rpm2cpio "$1" | (cd root && cpio -idm --quiet)
done
libraries=$(rpm --eval '%{_libdir}')
has() { grep -qx "$2" "$1.list" || fail "$1 has no $2"; }
has tarry /usr/bin/tarry-measure
has tarry "$libraries/tarry/libtarry-mpi.so"
has tarry '/usr/share/man/man1/tarry-replay\.1.*'
has tarry-devel /usr/include/tarry/user.h
has tarry-devel "$libraries/pkgconfig/tarry.pc"
has tarry-doc '/usr/share/doc/.*/METRICS.md'
grep -h 'installed-files' ./*.list && fail "the list of uninstall-tree is packaged"
rpm -qp --requires packages/tarry-[0-9]*.rpm | grep -q 'libopen-trace-format2' || fail "a library is missing in Requires"
rpm -qp --requires packages/tarry-[0-9]*.rpm | grep -Eq 'libmpi|openmpi|mpich' && fail "MPI in Requires"
grep -q '^BuildRequires: *otf2-devel$' packages/tarry.spec || fail "BuildRequires"

# Unpacked, it is an installation.
PATH=$PWD/root/usr/bin:$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$TARRY_ROOT/bin" | paste -sd:)
[ "$(command -v tarry)" = "$PWD/root/usr/bin/tarry" ] || fail "PATH"
"$MPICC" -O2 -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c"
tarry measure -q -t -o run -- mpirun -np 4 ./late_sender >/dev/null
tarry replay -q run
tarry report run | grep -q 'Waiting' || fail "no report"
