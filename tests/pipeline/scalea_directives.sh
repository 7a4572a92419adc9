# scalea_directives.sh -- directives of SCALEA in Fortran become regions: names, visits and times as the program measures
# them, the classes of overhead that they ask for, and parts that are not recorded.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
command -v gfortran >/dev/null || { echo "skip: no gfortran"; exit 77; }
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v path="$2" 'NR > 1 && $2 ~ path {sum += $5} END {print sum + 0}'; }
cp "$TARRY_ROOT/tests/apps/scalea_regions.f90" free.f90
# The same in fixed form: columns 7 to 72, and comments of their own.
sed -e 's/^ *!SIS\$/CSIS$/' -e '/^CSIS/!s/^/      /' free.f90 >fixed.f

for form in free.f90 fixed.f; do
  name=${form%.*}
  gfortran -O1 -o bare $form || fail "$form: alone"
  tarry instrument gfortran -O1 -Wall -o $name $form 2>err || fail "$form: $(cat err)"
  [ -s err ] && fail "$form: the compiler has something to say: $(cat err)"
  ./$name >alone.out || fail "$form: without measurement"
  tarry measure -q -s -t -o $name.run -- ./$name >$name.out || fail "$form: status $?"
  python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" $name.run/summary.cubex $name.out || fail "$form: the summary"
  tarry replay -q --strict $name.run || fail "$form is not analysed"
  python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" $name.run/analysis.cubex $name.out || fail "$form: the trace"
  [ "$(visits $name.run/summary.cubex '/comp_main/.*init_comp$')" = 3 ] || fail "$form: a region is not inside the other"
  [ "$(visits $name.run/summary.cubex 'never_seen$')" = 0 ] || fail "$form: what is disabled is recorded"
  tarry report --overheads $name.run/summary.cubex >overheads
  grep -q 'comp_main' overheads || fail "$form: no overheads of comp_main: $(cat overheads)"
done

# A mistake in the source has its own line, and a wrong directive is told of.
printf 'program p\n!SIS$ CR a BEGIN\n  x = nothing_here(1)\n!SIS$ END CR\n!SIS$ END CR\nend program\n' >wrong.f90
tarry instrument gfortran -fimplicit-none -c wrong.f90 2>err && fail "a wrong program is compiled"
grep -q 'wrong.f90:3' err || fail "the line is another one: $(cat err)"
grep -q 'wrong.f90:5: END CR ends no region' err || fail "a wrong directive is not told of: $(cat err)"
# With OpenMP, where opari2 reads the source with the calls.
if command -v opari2 >/dev/null; then
  tarry instrument gfortran -fopenmp -O1 -o parallel free.f90 2>err || fail "with OpenMP: $(cat err)"
  tarry measure -q -s -o parallel.run -- ./parallel >parallel.out || fail "with OpenMP: status $?"
  python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" parallel.run/summary.cubex parallel.out || fail "with OpenMP"
fi
exit $failed
