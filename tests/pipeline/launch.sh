# launch.sh -- ways to start a job: host files, variables, a script that starts the program, several programs in one job.
# serial
# no-san
# timeout 120
set -u
failed=0
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
cp end other

# try NAME RANKS COMMAND...: all ranks are recorded, none twice, and each has its rounds of MPI_Barrier.
try() {
  local name=$1 ranks=$2 expected rounds
  shift 2
  tarry measure -s -t -o "$name" -- "$@" >"$name.log" 2>&1 || { echo "$name: status $?"; cat "$name.log"; failed=1; return; }
  expected=$((200 * ranks))
  rounds=$(tarry archive dump "$name" | grep -c ' ENTER .*"MPI_Barrier"')
  grep -q "<run .*ranks=\"$ranks\".*complete=\"yes\"" "$name/manifest.xml" && [ "$rounds" -eq "$expected" ] &&
    tarry replay -q "$name" && tarry cube dump --csv "$name/analysis.cubex" >"$name.csv" && echo "$name: right" && return
  echo "$name: $rounds of $expected rounds"
  cat "$name.log" "$name/manifest.xml"
  failed=1
}

# roots NAME REGION...: the regions that ranks 0, 1, ... begin with.
roots() {
  local name=$1 found
  shift
  found=$(awk -F'[,/]' '$1 == "visits" && NF == 5 { print $3, $2 }' "$name.csv" | sort -n | awk '{ printf "%s%s", sep, $2; sep = " " }')
  [ "$found" = "$*" ] || { echo "$name: the ranks are '$found', not '$*'"; failed=1; }
}

printf '%s slots=3\n' "$(hostname)" >hosts
try hostfile 3 mpirun --hostfile hosts ./end return 0
try host 2 mpirun --host "$(hostname):2" ./end return 0
OTHER=1 try variables 2 mpirun -np 2 -x OTHER -x ANOTHER=2 ./end return 0
try prefix 2 mpirun --prefix /usr -np 2 ./end return 0

# A script is no part of the program: the ranks are those of what it starts, with its variables and arguments.
cat >start.sh <<'SH'
#!/bin/sh
[ "$SECRET" = 42 ] || exit 9
ls / >/dev/null
./end "$@"
SH
chmod +x start.sh
try script 2 mpirun -np 2 -x SECRET=42 ./start.sh return 0
roots script end end
printf '#!/bin/sh\nmpirun -np 2 ./end return 0\n' >job.sh
chmod +x job.sh
try job_script 2 ./job.sh
roots job_script end end
try shell_words 2 sh -c 'cd . && exec mpirun -np 2 ./end return 0'

try several_programs 3 mpirun -np 1 ./end return 0 : -np 2 ./other return 0
roots several_programs end other other
try several_with_variables 3 mpirun -np 2 -x OTHER=1 ./other return 0 : -np 1 -x OTHER=2 ./end return 0
roots several_with_variables other other end
exit $failed
