# local_runtime.sh -- exceptions in libraries that a program in C or Python opens: only they have the C++ runtime.
# no-san
set -u
apps=$TARRY_ROOT/tests/apps
"${CC:-cc}" -std=gnu11 -O1 -Wall -Werror -o host "$apps/local_runtime.c" -ldl -lpthread || exit 1
g++ -std=c++20 -O1 -Wall -Werror -shared -fPIC -o first.so "$apps/local_runtime_plugin.cpp" || exit 1
g++ -std=c++20 -O0 -Wall -Werror -shared -fPIC -static-libstdc++ -static-libgcc -o second.so \
  "$apps/local_runtime_plugin.cpp" || exit 1
tarry-cxx -std=c++20 -O1 -shared -fPIC -o third.so "$apps/local_runtime_plugin.cpp" || exit 1
python="import ctypes; print([ctypes.CDLL('./first.so').count_caught(4) for _ in range(3)])"

failed=0
# Libraries that are opened later share 1,664 bytes of each thread's static storage. On AArch64 the C++ runtime takes some
# of them, too, and the recorder needs 32 more than on x86-64.
bytes=$(($(readelf -lW "$TARRY_BUILD/lib/libtarry-mpi.so" | awk '$1 == "TLS" { print $6 }')))
[ "$bytes" -le 1568 ] || { echo "the recorder has $bytes bytes of static storage for each thread"; failed=1; }

# compare NAME COMMAND...: bare, and measured with each of the options.
compare() {
  local name=$1 count=0
  shift
  "$@" >"$name.bare" 2>&1 || { cat "$name.bare"; exit 1; }
  for options in "" "-t" "-s -t --sample 1999" "--callpaths off" "--io --metrics heap"; do
    count=$((count + 1))
    # shellcheck disable=SC2086
    tarry measure $options -o "$name-$count" -- "$@" >"$name.measured" 2>"$name.err"
    local status=$?
    [ "$status" = 0 ] && cmp -s "$name.bare" "$name.measured" && continue
    echo "$name with '$options': status $status"; diff "$name.bare" "$name.measured" | head -5; tail -2 "$name.err"
    failed=1
  done
}

compare libraries ./host ./first.so ./second.so ./third.so
grep -q 'C++ runtime: 0' libraries.bare || { echo "the program has it itself: $(cat libraries.bare)"; failed=1; }
compare now env LD_BIND_NOW=1 ./host ./third.so ./first.so
compare python python3 -c "$python"
exit $failed
