# stack_losses.sh -- a report says where stacks lack their outermost functions, and functions their names, and why.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
case $(uname -m) in x86_64 | aarch64) ;; *) echo "stacks are not walked on this processor" && exit 77 ;; esac
apps=$TARRY_ROOT/tests/apps

# told: the first screen of the last run; fact FILTER: of its findings.
told() { tarry report run | tr -s ' \n' ' '; }
fact() { tarry report --json run | python3 -c "import json, sys; found = json.load(sys.stdin); print($1)"; }

# ---- stacks that are cut -----------------------------------------------------------------------------------------
gcc -O1 -fomit-frame-pointer -shared -fPIC -fno-asynchronous-unwind-tables -fno-unwind-tables -DLIBRARY -o libcut.so "$apps/cut_stacks.c"
gcc -O1 -g -o cut_stacks "$apps/cut_stacks.c" ./libcut.so -pthread
rm -rf run && tarry measure -q -s -o run -- ./cut_stacks 40
screen=$(told)
counts=$(fact '*(found["stacks"][k] for k in ("stacks_cut_no_unwind_info", "in_module"))')
[ "$counts" = "80 80" ] || fail "counted $counts, not 80 80"
stacks=$(fact 'found["stacks"]["looked_at"]')
[ "$stacks" -ge 200 ] && [ "$stacks" -lt 210 ] || fail "$stacks stacks, not 200 and a few"
[[ $screen == *"STACKS CUT: "[34]*"% (80 of $stacks) lack their outermost functions: 80 where a function has no unwind information (80 in libcut.so)"* ]] ||
  fail "not told: $screen"
rm -rf run && tarry measure -q -s -o run -- ./cut_stacks 0
[[ $(told) != *"STACKS CUT"* ]] || fail "cut stacks where there are none"
[ "$(fact '"stacks" in found')" = False ] || fail "none are counted"

# ---- names that are missing --------------------------------------------------------------------------------------
gcc -O1 -g -rdynamic -Wl,--build-id -o whole "$apps/nameless.c" -pthread
strip -s -o bare whole
objcopy --only-keep-debug whole whole.debug
id=$(readelf -n whole | sed -n 's/.*Build ID: //p')

# has_names HOW: compute() has its name, and nothing is missing.
has_names() {
  tarry cube calltree -m visits run | grep -qw 'compute' || fail "$1: no name"
  [[ $(told) != *"NAMES MISSING"* ]] || fail "$1: names are called missing"
}
# lacks_names FUNCTIONS SHARE ADVICE
lacks_names() {
  [[ $(told) == *"NAMES MISSING: "*"% of the time is in or below $1 without a name, most in bare. $3"* ]] ||
    fail "missing names are not told: $(told)"
  fact "abs(found['missing_names']['share'] - $2) < 0.15" | grep -qx True || fail "not $2 of the time"
}
rm -rf run && tarry measure -q -s -o run -- ./whole && has_names "not stripped"
rm -rf run && tarry measure -q -s -o run -- ./bare && lacks_names "2 functions" 0.75 "What helps"
mkdir -p "ids/.build-id/${id:0:2}" && cp whole.debug "ids/.build-id/${id:0:2}/${id:2}.debug"
rm -rf run && TARRY_DEBUG_PATH=$PWD/ids tarry measure -q -s -o run -- ./bare && has_names TARRY_DEBUG_PATH

# A server: elfutils takes a folder, too. The program itself does not ask.
mkdir -p "server/buildid/$id" && cp whole.debug "server/buildid/$id/debuginfo"
export DEBUGINFOD_URLS=file://$PWD/server DEBUGINFOD_CACHE_PATH=$PWD/cache
if ldconfig -p | grep -q libdebuginfod.so.1; then
  rm -rf run && tarry measure -q -s -o run -- ./bare && has_names DEBUGINFOD_URLS
fi
DEBUGINFOD_URLS=
rm -rf run && tarry measure -q -s -o run -- ./bare && lacks_names "2 functions" 0.75 "What helps"

# Without libdw: a file of that name that is no library.
mkdir hidden && : >hidden/libdw.so.1
rm -rf run && LD_LIBRARY_PATH=$PWD/hidden tarry measure -q -s -o run -- ./bare
lacks_names "3 functions" 1 "libdw (elfutils) is not installed there"
