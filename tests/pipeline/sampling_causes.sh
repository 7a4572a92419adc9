# sampling_causes.sh -- delay costs and the critical path lie in functions that only samples have seen.
# no-san
# timeout 60
set -euo pipefail
"$MPICC" -O2 -g -o late_assembly "$TARRY_ROOT/tests/apps/late_assembly.c"
tarry measure --sample 1999 -t -o run -- mpirun -np 3 ./late_assembly
tarry replay -q --strict run
tarry cube dump --csv -m delay_barrier,critical_path,delay_barrier_aggregate run/analysis.cubex >values
cat values
# share METRIC: how much of it is at assemble() on the last rank, of what is outside MPI.
share() {
  awk -F, -v metric="$1" '$1 == metric && $2 !~ /MPI_/ { all += $5; if ($2 ~ /\/main\/assemble$/ && $3 == 2) there += $5 }
                          END { printf "%d\n", 100 * there / all }' values
}
for metric in delay_barrier_aggregate delay_barrier critical_path; do
  [ "$(share "$metric")" -ge 85 ] || { echo "$metric: $(share "$metric") % of it is at assemble()"; exit 1; }
done
tarry report run >text
grep -Eq 'rank 2 spends .* in assemble .*: that causes [0-9.]+% of the waiting' text || { cat text; exit 1; }
