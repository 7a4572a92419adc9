# documents_bare_root.sh -- in a bare Debian root with build-essential and git, every command of README, INSTALLING,
# TUTORIAL, EXPERIMENTS and INSTRUMENTING runs as it reads, in the source tree. `make demo` finds what is built already.
# long
# serial
# no-san
# timeout 3600
set -eu
. "$TARRY_ROOT/tests/pipeline/bare_root.bash"
fail() { echo "FAILED: $*"; exit 1; }
root=$PWD/root
make_bare_root "$root"
mkdir "$root/root/tarry"
(cd "$TARRY_ROOT" && git ls-files -coz --exclude-standard | xargs -0 cp -p --parents -t "$root/root/tarry")
cp -p "$TARRY_ROOT"/bin/tarry-* "$root/root/tarry/bin/"
mkdir "$root/root/tarry/build"
for part in lib obj batch generated explore; do
  [ ! -e "$TARRY_BUILD/$part" ] || cp -rp "$TARRY_BUILD/$part" "$root/root/tarry/build/"
done

cat >"$root/root/inside.sh" <<'INSIDE'
cd /root/tarry
export TARRY_ROOT=$PWD PATH=$PWD/bin:$PATH
. tests/pipeline/document_steps.bash
packages() {
  apt-get install -y -qq --no-install-recommends "$@" >>/root/packages.log 2>&1 || { tail /root/packages.log; exit 1; }
}
apt-get update -qq && packages build-essential git
make demo || exit 1
# What the pages say that readers have: programs from packages, modules, pkg-config, rpmbuild.
packages hpcc lammps python3-mpi4py environment-modules pkg-config rpm
. /etc/profile.d/modules.sh
sudo() { "$@"; }  # who reads as root needs none
# The whole suite has its turn elsewhere.
make() {
  case $1 in
    check) command make -C "$TARRY_ROOT" -n check >/dev/null ;;
    *) command make -C "$TARRY_ROOT" "$@" ;;
  esac
}
for page in README.md docs/INSTALLING.md docs/INSTRUMENTING.md docs/TUTORIAL.md docs/EXPERIMENTS.md; do
  # The source tree, without what the pages before have left there.
  mkdir "/root/${page##*/}" && cd "/root/${page##*/}" && ln -s "$TARRY_ROOT"/* . || exit 1
  prepare_reader
  case $page in *TUTORIAL* | *EXPERIMENTS*) unset OMPI_MCA_rmaps_base_oversubscribe ;; esac
  follow "$page"
done
INSIDE
in_bare_root "$root" bash /root/inside.sh >out 2>err || { tail -n 40 out err; fail "in the bare root"; }
grep '^==' out
[ "$(grep -c '^==' out)" = 5 ] || fail "not all pages"
