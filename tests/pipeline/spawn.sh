# spawn.sh -- processes that a program starts by MPI_Comm_spawn are not recorded, and that is said: on stderr, in the
# archive's manifest. The recording of the others is complete.
# serial
# no-san
set -eu
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o spawn "$TARRY_ROOT/tests/apps/spawn.c"
tarry measure -s -t -o run -- mpirun -np 2 ./spawn 2>said.txt
cat said.txt
grep -q 'spawn was spawned by another program: its processes are not recorded' said.txt
grep -q '<run .*ranks="2".*complete="yes".*not-recorded="processes started by MPI_Comm_spawn"' run/manifest.xml
tarry archive verify run
tarry archive info run | grep 'not recorded'
tarry replay --strict run
tarry cube dump --csv run/analysis.cubex | grep -q '^visits,spawn/MPI_Comm_spawn,1,0,1$'
