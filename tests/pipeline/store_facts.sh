# store_facts.sh -- what a measurement notes of machine, code and parameters, and how the store hands it on.
set -euo pipefail
mpicc -O1 -g -o heat "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
fail() { echo "$*"; exit 1; }
ask() { tarry store query --store runs.db "$1" | sed 1d; }

# Of a parameter given twice the last counts; that of a command line wins over that of the environment.
hostile=$'\x1b[2J\n%0A::error::"\'); DROP TABLE parameter; --'
LOADEDMODULES=gcc/14:openmpi/5 SLURM_CLUSTER_NAME=bigone TARRY_STORE=postgresql://me:secret@host/db \
  TARRY_PARAMS='a=1,b=from\,here' tarry measure -q -s -o run --param n=512 --param n=1024 --param 'a=x,y\z' \
  --param "q=$hostile" --param e= --param eq=a=b --param 'größe=1e3' -- mpirun -np 2 ./heat 5
grep -raq secret run && fail "the password of a store is in the archive"
printf '# a comment\n n = 77 \n\nlayout=blocked by 4\n' >parameters
tarry store add --store runs.db run >/dev/null
"$TARRY_BUILD/bench/make_reports" . 1 2 3 2 1 0.01
tarry store add --store runs.db --param-file parameters --param n=78 000001.cubex >/dev/null
[ "$(ask "SELECT name, value FROM run_parameters WHERE run = 2 ORDER BY name")" = $'layout,blocked by 4\nn,78' ] ||
  fail "another file of parameters"
[ "$(ask "SELECT name || '=' || value FROM run_parameters WHERE run = 1 AND name <> 'q' ORDER BY name" | tr -d '"')" = \
  $'a=x,y\\z\nb=from,here\ne=\neq=a=b\ngröße=1e3\nn=1024' ] || { ask "SELECT * FROM run_parameters"; fail "other parameters"; }
[ "$(ask "SELECT name, number FROM run_parameters WHERE run = 1 AND number IS NOT NULL ORDER BY name")" = \
  $'größe,1000\nn,1024' ] || fail "other numbers"
! tarry store list --store runs.db | grep -q $'\x1b' || fail "an escape reaches the terminal"
! tarry store show --store runs.db 1 | grep -q '^::error' || fail "a value begins a line"
for wrong in x =1 'a b=1' 'a,b=1' 'a\b=1'; do
  status=0
  tarry measure -s --param "$wrong" -- true 2>wrong.err || status=$?
  [ $status -eq 2 ] && [ "$(wc -l <wrong.err)" -eq 1 ] || fail "parameter '$wrong': status $status"
done

# Machine and code.
machine=$(ask "SELECT machine, nodes, cores, clocks, mpi FROM run_machines WHERE run = 1")
case $machine in bigone,1,"$(getconf _NPROCESSORS_ONLN)",*"ticks a second, 1 clock"*"Open MPI"*) ;; *) fail "machine: $machine" ;; esac
[ "$(ask "SELECT node, cores FROM run_nodes WHERE run = 1")" = "$(uname -n),$(getconf _NPROCESSORS_ONLN)" ] || fail "another node"
ask "SELECT flags, modules FROM runs WHERE run = 1" | grep -q -- '-O1.*gcc/14:openmpi/5' || fail "no flags or modules"
tarry store list --store runs.db --where "cores >= 1 and machine = bigone" --format csv | grep -q ,heat, || fail "--where"

# They survive JSON Lines, and --redact leaves them out of all forms.
tarry store export --store runs.db -o run.jsonl 1
tarry store import --store other.db run.jsonl >/dev/null
tarry store export --store other.db 1 | cmp - run.jsonl || fail "JSON Lines lose something"
names="$(uname -n)|bigone|openmpi|Open MPI|MPICH|-O1|ticks a second|mpirun|$PWD"
for format in jsonl csv xml; do
  tarry store export --store runs.db --redact --format $format >redacted 1
  ! grep -qE -- "$names" redacted || { grep -E -o -m3 -- ".{20}($names)" redacted; fail "--redact leaves names in $format"; }
done
tarry store export --store runs.db --redact --format cubex -o redacted.cubex 1
tarry cube info redacted.cubex | grep -qE -- "$names" && fail "--redact leaves names in .cubex"
exit 0
