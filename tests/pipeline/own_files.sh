# own_files.sh -- files that programs read and write without MPI: bytes of each file, in both reports and behind OTF2.
# no-san
# mpich-long
# timeout 300
set -euo pipefail
fail() { echo "$1"; exit 1; }
apps=$TARRY_ROOT/tests/apps
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o own_c "$apps/own_files.c"
mkdir bare measured

# The program does the same with the recorder, and the same is on the disk.
mpirun -np 2 ./own_c bare >bare.out 2>bare.err
tarry measure -q -s -t --io -o run -- mpirun -np 2 ./own_c measured >measured.out 2>measured.err
diff bare.out measured.out || fail "the program prints something else"
sed '/^tarry/d' measured.err | diff bare.err - || fail "the program says something else"
[ "$(cat bare.out)" = done ] || fail "the program fails by itself"
diff -r bare measured || fail "the files differ"

# compare NAME: summary and analysis of a run have the same metrics, and the same table of files.
compare() {
  tarry replay -q --strict "$1"
  for report in summary analysis; do
    tarry cube dump --csv "$1/$report.cubex" >"$1.$report.csv"
    tarry report --files --csv "$1/$report.cubex" >"$1.$report.files"
  done
  python3 "$TARRY_ROOT/tests/pipeline/compare_summary.py" "$1.summary.csv" "$1.analysis.csv" 8
  diff "$1.summary.files" "$1.analysis.files" || fail "$1: the tables of files differ"
}

# row RUN FILE FIELDS: what a table tells of one file.
row() { awk -F, -v file="$2" -v fields="$3" '$1 == file { n = split(fields, f, " "); for (i = 1; i <= n; ++i) printf "%s%s", $f[i], i < n ? " " : "\n" }' "$1.summary.files"; }
is() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; }

# Columns: 2 processes, 3 opens, 4 reads, 5 bytes read, 6 writes, 7 bytes written.
compare run
for rank in 0 1; do
  is "descriptors of $rank" "$(row run measured/descriptors.$rank "2 3 4 5 6 7")" "1 1 1 100 50 50000000"
  is "streams of $rank" "$(row run measured/streams.$rank "2 3 5 7")" "1 2 50000000 50000000"
  is "care of $rank" "$(row run measured/care.$rank "2 3 4 5 6 7")" "1 1 1 0 1 2"
done
is "standard output" "$(row run '<stdout>' "6 7")" "1 5"
is "opened before MPI_Init" "$(row run ./own_c "2 3 4 5 6 7")" "2 0 2 32 0 0"
is "all files" "$(wc -l <run.summary.files)" 10
# By call path: time of files is no computation.
sum() { awk -F, -v metric="$1" -v path="$2" '$1 == metric && $2 ~ path { sum += $5 } END { printf "%.0f", sum }' run.summary.csv; }
is "bytes of writev" "$(sum io_bytes_written '/with_descriptors/writev$')" 18000000
is "bytes of putc, at fclose" "$(sum io_bytes_written '/with_streams/fclose$')" 1000000
is "operations of MPI" "$(sum io_bytes '/MPI_')" 0
tarry cube dump --csv -m comp run/summary.cubex | grep -E '/(write|fread|open),' && fail "file operations are computation"
tarry cube dump --csv -m io_time run/summary.cubex | grep -q '/with_descriptors/write,' || fail "no time of write"

# OTF2 and back.
tarry merge -q run -o otf2 --to otf2
tarry merge -q --from otf2 otf2/traces.otf2 -o back
for archive in run back; do tarry archive dump $archive | awk '$4 ~ /^IO_/ { $3 = ""; print }' >$archive.io; done
[ "$(wc -l <run.io)" -gt 100000 ] || fail "too few records: $(wc -l <run.io)"
diff -q run.io back.io || fail "records differ behind OTF2"
tarry replay -q --strict back
tarry report --files --csv back/analysis.cubex | diff run.analysis.files - || fail "the table differs behind OTF2"
otf2-print -G otf2/traces.otf2 >definitions.txt 2>&1
grep -q '^warning\|: warning' definitions.txt && fail "OTF2's reader warns: $(grep warning definitions.txt)"
grep -q '^IO_PARADIGM .*POSIX' definitions.txt || fail "no paradigm of POSIX in OTF2"

# Redacted: the same numbers in all processes, and no name.
TARRY_REDACT=1 tarry measure -q -s -t --io -o redacted -- mpirun -np 2 ./own_c measured >/dev/null 2>&1
compare redacted
grep -q '^file-[0-9a-f]\{16\},' redacted.summary.files || fail "no redacted name"
grep -rqa 'descriptors.0' redacted && fail "a name is in the archive"

# Without --io none is recorded.
tarry measure -q -s -o without -- mpirun -np 2 ./own_c measured >/dev/null 2>&1
tarry cube dump --csv without/summary.cubex | grep '^io_' && fail "files are recorded without --io"
tarry report --files without >none.txt 2>&1 && fail "a table without files"
grep -q 'tells of no files' none.txt || fail "no reason: $(cat none.txt)"

# languages NAME COMMAND...: 50,000,000 bytes in one file, there and back.
language() {
  local name=$1
  shift
  tarry measure -q -s -t --io -o "$name" -- "$@" "$name.data" >"$name.out" 2>&1 || fail "$name: $(cat "$name.out")"
  compare "$name"
  is "$name" "$(row "$name" "$name.data" "5 7")" "50000000 50000000"
}
mpicxx -O1 -o own_cxx "$apps/own_files.cpp"
language cxx mpirun -np 1 ./own_cxx
# Without MPI, too.
cat >plain.c <<'C'
#include <stdio.h>
int main(int argc, char** argv) {
  FILE* out = fopen(argv[argc - 1], "w");
  for (int i = 0; i < 5000000; ++i) fputs("123456789\n", out);
  fclose(out);
  FILE* in = fopen(argv[argc - 1], "r");
  long sum = 0;
  for (char line[16]; fgets(line, sizeof line, in);) ++sum;
  fclose(in);
  printf("%ld\n", sum);
}
C
cc -O1 -o plain plain.c
language serial ./plain
if [ "$TARRY_TEST_MPI" = openmpi ]; then
  mpif90 -O1 -o own_fortran "$apps/own_files.f90"
  language fortran mpirun -np 1 ./own_fortran
  if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then language python mpirun -np 1 /usr/bin/python3 "$apps/own_files.py"; fi
fi
