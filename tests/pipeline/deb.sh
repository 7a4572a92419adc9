# deb.sh -- the Debian packages: what is in them, what they need, the same bytes each time; unpacked, they work.
# long
# serial
# no-san
# timeout 600
set -eu
for tool in dpkg-deb dpkg-shlibdeps strip; do
  command -v $tool >/dev/null || { echo "no $tool: dpkg-dev and binutils are not installed"; exit 77; }
done
fail() { echo "FAILED: $*"; exit 1; }
make_deb() { BUILD=$TARRY_BUILD "$TARRY_ROOT/packaging/debian/make-deb" "$1" >log 2>&1 || { cat log; fail "make-deb"; }; }
export SOURCE_DATE_EPOCH=1700000000
make_deb once
make_deb twice
ls once
for package in once/*.deb; do cmp "$package" "twice/${package##*/}" || fail "$package differs from build to build"; done

for name in tarry tarry-dev tarry-doc; do
  set -- once/${name}_*.deb
  [ -f "$1" ] && [ $# -eq 1 ] || fail "no package $name"
  dpkg-deb --fsys-tarfile "$1" | tar -t | sort >$name.list
  dpkg-deb --info "$1" control >$name.control
  dpkg-deb -x "$1" root
done
has() { grep -qxF "./$2" "$1.list" || fail "$1 has no $2"; }
has tarry usr/bin/tarry
has tarry usr/bin/tarry-measure
has tarry usr/lib/tarry/libtarry-mpi.so
has tarry usr/share/man/man1/tarry-replay.1.gz
has tarry usr/share/man/man1/tarry-cube-diff.1.gz
has tarry usr/share/bash-completion/completions/tarry
has tarry-dev usr/include/tarry/user.h
has tarry-dev usr/share/pkgconfig/tarry.pc
has tarry-dev usr/lib/cmake/Tarry/TarryConfig.cmake
has tarry-doc usr/share/doc/tarry/METRICS.md
for name in tarry tarry-dev tarry-doc; do has $name usr/share/doc/$name/copyright; done
cat tarry.list tarry-dev.list tarry-doc.list | grep -v '/$' | sort | uniq -d >both
[ ! -s both ] || { cat both; fail "in two packages"; }

# Dependencies are those of the tools and the recorder; nobody needs MPI to look at reports.
grep '^Depends:' tarry.control | grep -q 'libopen-trace-format2' || fail "a library is missing in Depends"
grep '^Recommends:' tarry.control | grep -q 'tarry-dev (= ' || fail "Recommends"
grep '^Depends:' tarry.control | grep -Eq 'openmpi|mpich' && fail "MPI in Depends"

# Unpacked, it is an installation.
PATH=$PWD/root/usr/bin:$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$TARRY_ROOT/bin" | paste -sd:)
[ "$(command -v tarry)" = "$PWD/root/usr/bin/tarry" ] || fail "PATH"
"$MPICC" -O2 -o halo_exchange "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
tarry measure -q -t -o run -- mpirun -np 8 ./halo_exchange >/dev/null
tarry replay -q run
tarry report run | grep -q 'Waiting' || fail "no report"
