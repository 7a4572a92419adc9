# leaks.sh -- a search for leaks in a measured program finds none of the recorder's memory, and still the program's.
# no-san
# timeout 300
set -u
export ASAN_OPTIONS=verify_asan_link_order=0
source="$TARRY_ROOT/tests/apps/leaking.cpp"
failed=0 count=0
for compiler in g++ clang++; do
  for sanitizer in address leak; do
    program=$compiler-$sanitizer
    "$compiler" -g -O1 -fsanitize=$sanitizer -pthread -o "$program" "$source" 2>/dev/null || continue
    ./"$program" >/dev/null 2>&1 || continue # its runtime does not work here
    for options in "-t" "-s --io --sample 1999"; do
      count=$((count + 1))
      # shellcheck disable=SC2086
      tarry measure -q $options -o "run$count" -- ./"$program" >out 2>said ||
        { echo "$program $options: $(head -20 said)"; failed=1; }
      cmp -s out <(echo ended) || { echo "$program $options: $(cat out)"; failed=1; }
    done
    tarry measure -q -s --sample -o "run$program" -- ./"$program" leak >out 2>said &&
      { echo "$program: no leak"; failed=1; }
    grep -q '12345 byte(s) leaked in 1 allocation' said || { cat said; failed=1; }
  done
done
[ "$count" -gt 0 ] || { echo "no compiler has a sanitizer of leaks"; exit 77; }
command -v valgrind >/dev/null || exit $failed

# Memory that is reached by one of its inner addresses only counts as possibly lost.
g++ -g -O1 -pthread -o plain "$source" || exit 1
tarry measure -q -s -t --sample -o watched -- valgrind -q --leak-check=full --errors-for-leak-kinds=definite \
  --show-leak-kinds=definite --error-exitcode=9 ./plain >out 2>said || { cat said; failed=1; }
cmp out <(echo ended) || failed=1
exit $failed
