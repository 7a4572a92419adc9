# from_scorep.sh -- every command of docs/FROM_SCOREP.md runs as it reads, with a program that has the macros of Score-P.
# no-san
# timeout 300
. "$TARRY_ROOT/tests/pipeline/document_steps.bash"
prepare_reader
sed -i -e '1i #include <scorep/SCOREP_User.h>' \
  -e 's/^  double sum = step;/&\n  SCOREP_USER_REGION_DEFINE(pass)\n  SCOREP_USER_REGION_BEGIN(pass, "pass", SCOREP_USER_REGION_TYPE_DYNAMIC)/' \
  -e 's/^  return sum;/  SCOREP_USER_REGION_END(pass)\n&/' solve.c
[ "$(grep -c SCOREP_USER_REGION_ solve.c)" = 3 ] || { cat solve.c; echo "solve.c is not marked"; exit 1; }
follow docs/FROM_SCOREP.md

# Each of the 50 passes of each of the four processes.
for run in traced/analysis full/summary filtered/summary; do
  tarry cube dump --csv $run.cubex | grep -cE '^visits,.*/pass=[0-9]+,[0-3],0,1$' | grep -qx 200 || { echo "$run"; exit 1; }
done
