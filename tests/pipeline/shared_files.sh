# shared_files.sh -- bytes of each file are exact with threads, dup2, a closed descriptor 0, fork and thousands of files.
# no-san
set -euo pipefail
fail() { echo "$1"; exit 1; }
cc -O2 -D_FORTIFY_SOURCE=2 -w -o program "$TARRY_ROOT/tests/apps/shared_files.c" -pthread
mkdir d
for paths in 0 1; do
  TARRY_CALLPATHS=$paths tarry measure -q -s -t --io -o run$paths -- ./program || fail "status $?"
  tarry replay -q --strict run$paths
  for report in summary analysis; do
    tarry cube dump --csv run$paths/$report.cubex >$report.csv
    tarry report --files --csv run$paths/$report.cubex >$report.files
  done
  python3 "$TARRY_ROOT/tests/pipeline/compare_summary.py" summary.csv analysis.csv 8
  diff summary.files analysis.files || fail "the tables of files differ"
  # Name, processes, opens, reads, bytes read, writes, bytes written.
  for row in src,1,1,10001,10000000,10000,10000000 dst,1,1,0,0,10001,10000500 shared,1,1,0,0,50000,50000000 \
    st,1,2,2001,1000000,1000,1000000 d/f2999,1,1,0,0,1,7; do
    grep -q "^$row," summary.files || fail "no $row: $(grep "^${row%%,*}," summary.files)"
  done
  [ "$(grep -c '^d/f[0-9]*,1,1,0,0,1,7,' summary.files)" = 3000 ] || fail "files are missing"
done
