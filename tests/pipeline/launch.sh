# launch.sh -- ways to start a job: host files, variables, a script that starts the program, several programs in one job.
# no-san
# mpich-long
# timeout 120
set -u
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
failed=0
[ "$TARRY_TEST_MPI" = mpich ] && rounds=20 || rounds=200  # ranks of MPICH that share a core take long
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=$rounds -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
cp end other

# try NAME RANKS COMMAND...: all ranks are recorded, none twice, and each has its rounds of MPI_Barrier.
try() {
  local name=$1 ranks=$2 expected found
  shift 2
  tarry measure -s -t -o "$name" -- "$@" >"$name.log" 2>&1 || { echo "$name: status $?"; cat "$name.log"; failed=1; return; }
  expected=$((rounds * ranks))
  found=$(tarry archive dump "$name" | grep -c ' ENTER .*"MPI_Barrier"')
  grep -q "<run .*ranks=\"$ranks\".*complete=\"yes\"" "$name/manifest.xml" && [ "$found" -eq "$expected" ] &&
    tarry replay -q "$name" && tarry cube dump --csv "$name/analysis.cubex" >"$name.csv" && echo "$name: right" && return
  echo "$name: $found of $expected rounds"
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

if [ "$TARRY_TEST_MPI" = mpich ]; then
  printf '%s:3\n' "$(hostname)" >hosts
  try hostfile 3 mpirun -f hosts -np 3 ./end return 0
  try host 2 mpirun -hosts "$(hostname)" -np 2 ./end return 0
  try variables 2 mpirun -genv OTHER 1 -np 2 -env ANOTHER 2 ./end return 0
  secret="-env SECRET 42" one="-env OTHER 1" two="-env OTHER 2"
else
  printf '%s slots=3\n' "$(hostname)" >hosts
  try hostfile 3 mpirun --hostfile hosts ./end return 0
  try host 2 mpirun --host "$(hostname):2" ./end return 0
  OTHER=1 try variables 2 mpirun -np 2 -x OTHER -x ANOTHER=2 ./end return 0
  try prefix 2 mpirun --prefix /usr -np 2 ./end return 0
  secret="-x SECRET=42" one="-x OTHER=1" two="-x OTHER=2"
fi

# A script is no part of the program: the ranks are those of what it starts, with its variables and arguments.
cat >start.sh <<'SH'
#!/bin/sh
[ "$SECRET" = 42 ] || exit 9
ls / >/dev/null
./end "$@"
SH
chmod +x start.sh
# shellcheck disable=SC2086  # several words
try script 2 mpirun -np 2 $secret ./start.sh return 0
roots script end end
printf '#!/bin/sh\nmpirun -np 2 ./end return 0\n' >job.sh
chmod +x job.sh
try job_script 2 ./job.sh
roots job_script end end
try shell_words 2 sh -c 'cd . && exec mpirun -np 2 ./end return 0'

if [ -n "$has_several" ]; then
  try several_programs 3 mpirun -np 1 ./end return 0 : -np 2 ./other return 0
  roots several_programs end other other
  # shellcheck disable=SC2086
  try several_with_variables 3 mpirun -np 2 $one ./other return 0 : -np 1 $two ./end return 0
  roots several_with_variables other other end
fi
[ $failed = 0 ] || exit 1
skip_without_several
