# deb_bare_root.sh -- the Debian packages, installed into a bare Debian root with what they depend on, find the wait states
# of the demo's program there.
# long
# serial
# no-san
# timeout 1500
set -eu
. "$TARRY_ROOT/tests/pipeline/bare_root.bash"
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-shlibdeps is not installed"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
BUILD=$TARRY_BUILD "$TARRY_ROOT/packaging/debian/make-deb" packages >log 2>&1 || { cat log; fail "make-deb"; }

root=$PWD/root
make_bare_root "$root"
cp -r packages "$root/root/"
"$MPICC" -O2 -g -o "$root/root/halo_exchange" "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm

cat >"$root/root/inside.sh" <<'INSIDE'
cd /root
apt-get update -qq
apt-get install -y -qq --no-install-recommends ./packages/tarry_*.deb ./packages/tarry-dev_*.deb
echo "== before MPI"
tarry --version
tarry cube --help >/dev/null
apt-get install -y -qq --no-install-recommends openmpi-bin ssh-client
echo "== with MPI"
tarry measure -t -o run -- mpirun --oversubscribe -np 8 ./halo_exchange
tarry replay run
tarry report run
! command -v tarry-explore >/dev/null || { tarry explore run -o run.html && test -s run.html; }
INSIDE
in_bare_root "$root" sh -eu /root/inside.sh >out 2>err || { tail -40 out err; fail "in the bare root"; }
sed -n '/^== with MPI/,$p' out
grep -q 'Waiting' out || fail "no report"
