# score_finds.sh -- `score -g` finds the function that fills the buffer, though it is not tiny or has many call paths; with
# its filter in the compiler, the next summary meets what it promises.
# timed
# timeout 240
set -u
failed=0
export TARRY_THROTTLE=off  # what fills the buffer is looked for
wrong() { echo "FAILED: $*"; failed=1; }
field() { awk -F, -v kind="$2" -v column="$3" '$1 == kind { print $column; exit }' "$1"; }
# holds CONDITION WHAT, an expression of awk
holds() { awk "BEGIN { exit !($1) }" || wrong "$2: $1"; }

# The cost of an event is given: what is found shall not depend on what else the machine does.
check() {  # PROGRAM SOURCE COMPILER FUNCTION STEPS
  program=$1 source=$TARRY_ROOT/tests/apps/$2 compiler=$3 function=$4 steps=$5
  tarry instrument $compiler -O2 -o $program "$source" || exit 1
  tarry measure -q -s -o $program.s -- mpirun -np 2 ./$program $steps >out || { cat out; exit 1; }
  tarry score $program.s --cost-per-event 20ns --csv --top 0 >$program.csv || exit 1
  events=$(python3 -c 'import csv, sys; print(sum(float(row["events"]) for row in csv.DictReader(sys.stdin)
    if row["kind"] == "region" and sys.argv[1] in row["name"]))' "$function" <$program.csv)
  holds "$events > 0.5 * $(field $program.csv total 5)" "$program: not half of the events are of $function"

  # Without a target: at most 3 %.
  tarry score $program.s --cost-per-event 20ns -g $program.filter --csv >plan.csv 2>err || wrong "$program: -g"
  cat err $program.filter
  grep -q "EXCLUDE.*$function" $program.filter || wrong "$program: $function is not found"
  holds "$(field plan.csv total 13) > 0.03 && $(field plan.csv filtered_at_compile_time 13) <= 0.03" "$program: the plan"

  # A buffer of a fifth: no costs are needed to find it.
  size=$(awk "BEGIN { printf \"%.0f\", $(field $program.csv total 7) / 5 }")
  tarry score $program.s -g small.filter --max-buffer $size --csv >small.csv 2>err || wrong "$program: --max-buffer"
  grep -q "EXCLUDE.*$function" small.filter || wrong "$program: $function is not found for --max-buffer"
  holds "$(field small.csv filtered 7) <= $size" "$program: the buffer"

  # Measured again, with the filter in the compiler and at run time.
  tarry instrument --filter $program.filter $compiler -O2 -o $program.less "$source" || exit 1
  tarry measure -q -s -o $program.again -- mpirun -np 2 ./$program.less $steps >out || { cat out; exit 1; }
  tarry measure -q -s --filter small.filter -o $program.small -- mpirun -np 2 ./$program $steps >out || { cat out; exit 1; }
  tarry score $program.again --cost-per-event 20ns --csv >again.csv || exit 1
  tarry score $program.small --csv >small.csv || exit 1
  echo "$program: dilation $(field plan.csv total 13), planned $(field plan.csv filtered_at_compile_time 13), is $(field again.csv total 13)"
  holds "$(field again.csv total 13) <= 0.03" "$program: the target, measured again"
  holds "$(field small.csv total 7) <= $size" "$program: the buffer, measured again"
  tarry score $program.small | grep -q 'the run was filtered' || wrong "$program: it is not said that the run was filtered"
}
check lu_sweeps lu_sweeps.c mpicc solve_block 40
check hpcg_levels hpcg_levels.cpp mpicxx row_product 20
exit $failed
