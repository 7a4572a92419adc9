# hostile_names.sh -- names in reports, traces and of files that hold escape sequences, line ends, C1 controls and marks of
# direction reach a terminal only as text; formats for machines keep them by their own rules.
# timeout 200
set -u
failed=0
spite=$'\e]0;pwn\a\e[31m\x9b31m\xc2\x9b31m\xe2\x80\xae\x7f\r\nLINE 99%'
file=$'e\e[31m\nLINE'
# shown COMMAND...: whatever its status, both streams are fit for a terminal, and something is said.
shown() {
  "$@" >out 2>err </dev/null
  if ! "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_printable.py" LINE out err; then
    echo "FAILED: $(printf '%q ' "$@")"
    failed=1
  elif [ ! -s out ] && [ ! -s err ]; then
    echo "FAILED: says nothing: $(printf '%q ' "$@")"
    failed=1
  fi
}

"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$file.cubex" --names-end "$spite" || exit 1
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" plain.cubex || exit 1
for operation in info calltree topn dump stat regioninfo sanity; do shown tarry cube $operation "$file.cubex"; done
shown tarry cube topn "$file.cubex"
grep -q 'MPI_Send\\x1b\]0;pwn\\x07' out || { echo "FAILED: the name is not shown escaped"; failed=1; }
for by in region callpath; do shown tarry cube topn --by $by "$file.cubex"; done
shown tarry cube cmp plain.cubex "$file.cubex"
shown tarry cube cmp --format github plain.cubex "$file.cubex"
shown tarry cube cmp --metrics "$spite" "$file.cubex" plain.cubex
shown tarry cube test "time < 0 for MPI_Send$spite" "$file.cubex"
shown tarry cube calltree "$file.none"
shown tarry cube "$spite"
shown tarry "$spite"
shown tarry "-$spite"
shown tarry help "$spite"
shown tarry report "$file.cubex"
shown tarry score "$file.cubex"
shown tarry score --new-filter - "$file.cubex"
shown tarry cube diff "$file.cubex" plain.cubex -o "$file.none/x"
for operation in merge diff mean; do shown tarry cube topn <(tarry cube $operation "$file.cubex" plain.cubex -o -); done
tarry cube dump --json "$file.cubex" | "$PYTHON" -c '
import json, sys
assert any("\x1b]0;pwn\x07" in row["callpath"] for row in json.load(sys.stdin)["values"])' || { echo "FAILED: JSON"; failed=1; }

# A program of that name, and an archive.
$MPICC -O1 -o "$file" "$TARRY_ROOT/tests/apps/late_sender.c" || exit 1
shown tarry measure -s -t -- mpirun -np 4 "./$file"
ls | grep -q '^tarry-e__31m_LINE-1$' || { echo "FAILED: the archive is called $(ls)"; failed=1; }
cp -r tarry-e__31m_LINE-1 "$file.a"
shown tarry measure -s -t -o "$file.a" -- true
shown tarry measure -v -s -o "$file.empty" -- true "$file"
shown tarry measure -- "./$file.none"
for command in info ls dump verify; do shown tarry archive $command "$file.a"; done
shown tarry archive info tarry-e__31m_LINE-1
for command in unify score sync "sync --check" replay report; do shown tarry $command "$file.a"; done
shown tarry report -v tarry-e__31m_LINE-1
shown tarry cube calltree "$file.a/analysis.cubex"
for format in otf2 paraver perfetto csv jsonl tarry; do
  shown tarry merge -v "$file.a" -o "$file.$format" --to $format
done
shown tarry replay -v "$file.otf2/traces.otf2" -o otf2.cubex
shown tarry merge -v --from otf2 "$file.otf2/traces.otf2" -o "$file.b"
shown tarry archive dump "$file.b"
printf 'x' | dd of="$file.b/definitions.tdef" bs=1 seek=200 conv=notrunc status=none
for command in info ls dump verify; do shown tarry archive $command "$file.b"; done
shown tarry replay "$file.b"

# Names that a spreadsheet would take for formulas, and names of files in the last column of CSV.
cat >formula.c <<'END'
#include <stdio.h>
#include <tarry/user.h>
int main(void) {
  TARRY_REGION_BEGIN("=1+2");
  FILE* const file = fopen("a,\"b\".txt", "w");
  if (file) fclose(file);
  TARRY_REGION_END("=1+2");
  return 0;
}
END
tarry instrument --user gcc -O1 -o formula formula.c && tarry measure -q -t --io -o formulas -- ./formula || exit 1
for option in "" --safe-csv; do
  tarry merge -q formulas --to csv $option -o - | "$PYTHON" -c '
import csv, sys
header, *rows = list(csv.reader(sys.stdin))
assert all(len(row) == len(header) for row in rows), rows
wanted = "\x27=1+2" if sys.argv[1:] else "=1+2"
assert any(row[header.index("region")] == wanted for row in rows), rows
assert any("a,\"b\".txt" in row[-1] for row in rows), rows' $option || { echo "FAILED: CSV $option"; failed=1; }
done

# Settings and filters.
printf '%s = 1\n' "$spite" >tarry.conf
shown tarry measure -- true
rm tarry.conf
shown env TARRY_MEMORY="$spite" tarry measure -- true
shown env TARRY_FILTER="$spite" tarry measure --print-config
printf 'SCOREP_REGION_NAMES_BEGIN %s\n' "$spite" >"$file.filter"
shown tarry measure -f "$file.filter" -- true
shown tarry instrument -n gcc -c "$file.c"
shown tarry instrument -f "$file.filter" gcc -c "$file.c"
exit $failed
