# deb_bare_root.sh -- the Debian packages, installed into a bare Debian root with what they depend on, find the wait states
# of the demo's program there.
# long
# serial
# no-san
# timeout 1500
set -eu
[ "$(id -u)" -eq 0 ] || { echo "not root"; exit 77; }
for tool in debootstrap dpkg-shlibdeps; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
fail() { echo "FAILED: $*"; exit 1; }
BUILD=$TARRY_BUILD "$TARRY_ROOT/packaging/debian/make-deb" packages >log 2>&1 || { cat log; fail "make-deb"; }

root=$PWD/root
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(grep -rhoE 'https?://[^ ]+/debian($| |/$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 | tr -d ' ')
debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >debootstrap.log 2>&1 ||
  { tail -3 debootstrap.log; echo "no bare root can be made here"; exit 77; }
for part in sources.list sources.list.d apt.conf.d trusted.gpg.d; do
  [ ! -e /etc/apt/$part ] || { rm -rf "$root/etc/apt/$part"; cp -rL /etc/apt/$part "$root/etc/apt/"; }
done
cp -rL /usr/share/keyrings "$root/usr/share/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/etc/ssl" && cp -rL /etc/ssl/certs "$root/etc/ssl/"
cp -r packages "$root/root/"
"$MPICC" -O2 -g -o "$root/root/halo_exchange" "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm

# In a mount namespace of its own, so that nothing stays mounted.
cat >inside.sh <<'INSIDE'
set -eu
root=$1
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
  DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 sh -eu -c '
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
    ! command -v tarry-explore >/dev/null || { tarry explore run -o run.html && test -s run.html; }'
INSIDE
unshare --mount sh inside.sh "$root" >out 2>err || { tail -40 out err; fail "in the bare root"; }
sed -n '/^== with MPI/,$p' out
grep -q 'Waiting' out || fail "no report"
