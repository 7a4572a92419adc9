# documents.sh -- every command of README, INSTALLING and INSTRUMENTING runs as it reads. The tests tutorial and
# experiments follow the other pages.
# long
# serial
# no-san
# timeout 900
. "$TARRY_ROOT/tests/pipeline/document_steps.bash"
export HOME=$PWD/home
mkdir home

# The pages stand in the source tree. Tests and packages have tests of their own; nothing is installed here.
make() {
  case "$1" in
    check | deb | rpm) command make -C "$TARRY_ROOT" BUILD="$TARRY_BUILD" --no-print-directory -n "$@" >/dev/null ;;
    *) command make -C "$TARRY_ROOT" BUILD="$TARRY_BUILD" --no-print-directory "$@" ;;
  esac
}
sudo() { echo "$@"; }
modulecmd=$(command -v modulecmd || ls /usr/lib/*/modulecmd.tcl 2>/dev/null | head -n 1)
if [ -n "$modulecmd" ]; then
  module() { eval "$("$modulecmd" bash "$@")"; }
else
  module() { export PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig; }
fi
for page in README.md docs/INSTALLING.md docs/INSTRUMENTING.md; do
  mkdir "$HOME/../${page##*/}" && cd "$HOME/../${page##*/}" || exit 1
  prepare_reader
  follow "$page"
done
[ -e "$HOME/image/usr/lib64/tarry/libtarry-mpi.so" ] || { echo "no lib64"; exit 1; }
[ ! -e "$HOME/.local" ] || { echo "something is left of the installation"; exit 1; }
