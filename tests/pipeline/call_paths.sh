# call_paths.sh -- functions of programs that are not instrumented: the same stacks as the C library's unwinder finds.
# no-san
# timeout 120
set -euo pipefail
apps=$TARRY_ROOT/tests/apps
for plugin in first second; do
  "$MPICC" -O2 -shared -fPIC -DNAME=$plugin -o $plugin.so "$apps/call_paths_plugin.c"
done

# check PROGRAM ARCHIVE: a trace of two processes. With a summary beside it, both have the same call paths.
check() {
  tarry archive verify "$2" >/dev/null
  tarry archive dump "$2" >"$2.events"
  for rank in 0 1; do
    python3 "$TARRY_ROOT/tests/pipeline/check_call_paths.py" "$1" "$2.events" truth.$rank $rank
  done
  tarry replay -q --strict "$2"
  tarry cube dump --csv "$2/summary.cubex" | grep ^visits, | sort >"$2.summary"
  tarry cube dump --csv "$2/analysis.cubex" | grep ^visits, | sort >"$2.trace"
  diff "$2.summary" "$2.trace"
}

"$MPICC" -O2 -shared -fPIC -o closer.so "$apps/call_paths_closer.c"

for options in -O0 -O2 "-O3 -fomit-frame-pointer" "-O3 -fno-pie -no-pie"; do
  mpicxx $options -fopenmp -o app "$apps/call_paths.cpp" -ldl -lpthread
  rm -rf run
  tarry measure -q -s -t -o run -- mpirun -np 2 ./app ./first.so ./second.so
  echo "built with $options:"
  check app run
done

echo "closed past the recorder:"
tarry measure -q -s -t -o closed -- mpirun -np 2 ./app ./first.so ./second.so ./closer.so
check app closed

# Without symbols a function is its address in the file.
echo "stripped:"
mkdir -p stripped
strip -s -o stripped/app app
tarry measure -q -s -t -o stripped.run -- mpirun -np 2 stripped/app ./first.so ./second.so
check app stripped.run
