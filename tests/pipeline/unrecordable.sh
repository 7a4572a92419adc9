# unrecordable.sh -- programs that the recorder cannot get into run as ever, and one line says why nothing was recorded.
# no-san
# mpich-long
# timeout 120
set -u
. "$TARRY_ROOT/tests/pipeline/several_programs.bash"
failed=0
complain() { echo "$1: $2"; cat "$1.err" "$1.out" 2>/dev/null; failed=1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 3; }\n' >hello.c
gcc -o hello hello.c || exit 1

# unrecorded NAME TEXT COMMAND...: the command does what it does bare; TEXT is said once, in one line, by all tools.
unrecorded() {
  local name=$1 text=$2 bare
  shift 2
  "$@" >"$name.bare" 2>/dev/null
  bare=$?
  tarry measure -t -o "$name" -- "$@" >"$name.out" 2>"$name.err"
  [ $? = $bare ] || complain "$name" "not status $bare"
  cmp "$name.bare" "$name.out" || complain "$name" "other output"
  [ "$(grep -c '^tarry' "$name.err")" = 1 ] || complain "$name" "not one line"
  grep -qF "tarry-measure: warning: nothing was recorded: $text" "$name.err" || complain "$name" "not said"
  tarry archive info "$name" | grep -q "^missing *nothing was recorded: " || complain "$name" "not in the archive"
  [ "$(tarry replay "$name" 2>&1)" = "tarry-replay: $name: $(tarry archive info "$name" | sed -n 's/^missing *//p')" ] ||
    complain "$name" "replay says $(tarry replay "$name" 2>&1)"
  tarry report "$name" 2>&1 | grep -q "$name: nothing was recorded: " || complain "$name" "report does not say it"
  tarry archive verify "$name" >/dev/null 2>&1 && complain "$name" "is taken for complete"
}

gcc -static -o static hello.c || exit 1
unrecorded static_alone "./static is linked statically" ./static
unrecorded static_behind "./static is linked statically" nice ./static
# Open MPI 5 kills the other rank where one ends with a status, perhaps before it has written.
sed 's/return 3/return 0/' hello.c >fine.c && gcc -static -o static_fine fine.c || exit 1
unrecorded static_ranks "./static_fine is linked statically" mpirun -np 2 ./static_fine
gcc -static-pie -o static_pie hello.c && unrecorded static_moved "./static_pie is linked statically" ./static_pie

# Of several programs in one job it is the second one.
if [ -n "$has_several" ]; then
  unrecorded static_second "./static is linked statically" mpirun -np 1 ./hello : -np 1 ./static
fi

# What starts it makes no difference, and is recorded itself.
tarry measure -t -o shell -- sh -c './static; mpirun -np 2 ./end return 0' >shell.out 2>shell.err || complain shell "status $?"
grep -q 'shell holds a trace of 2 processes' shell.err || complain shell "not recorded"

# A program of 32 bits that ends with status 7: mov $7, %ebx; mov $1, %eax; int $0x80.
"$PYTHON" - <<'PY' || exit 1
import struct
code = bytes.fromhex("bb07000000 b801000000 cd80")
base, size = 0x08048000, 52 + 32 + len(code)
header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, base + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0, base, base, size, size, 5, 4096)
open("bits32", "wb").write(header + segment + code)
PY
chmod +x bits32
unrecorded bits_32 "./bits32 is a 32-bit program" ./bits32
if ./bits32; [ $? = 7 ]; then unrecorded bits_32_behind "./bits32 is a 32-bit program" env A=1 ./bits32; fi

# A script whose interpreter is static.
printf '#!%s -x\n' "$PWD/static" >script
chmod +x script
unrecorded script_static "./script is run by $PWD/static, which is linked statically" ./script
printf '#!/usr/bin/env hello_static\n' >by_env
chmod +x by_env
cp static hello_static
PATH=$PWD:$PATH unrecorded script_by_env "./by_env is run by hello_static, which is linked statically" ./by_env

# Other rights than those of the user: the dynamic linker ignores what is preloaded.
if [ "$(id -u)" = 0 ] && cp end setuid && chown 1:1 setuid && chmod 4755 setuid; then
  unrecorded setuid_program "./setuid runs with rights that you do not have" ./setuid return 0
fi

# Variables that are removed on the way.
unrecorded without_variables "env -i removes" env -i PATH="$PATH" HOME="$PWD" OMPI_ALLOW_RUN_AS_ROOT=1 \
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ./end return 0
unrecorded without_preload "env -u LD_PRELOAD removes" mpirun -np 2 env -u LD_PRELOAD ./end return 0
env -i PATH="$PATH" HOME="$PWD" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  tarry measure -t -o behind -- ./end return 0 2>behind.err || complain behind "status $?"
tarry replay -q --strict behind || complain behind "the way out is none"

# An MPI library of neither ABI: the recorder itself says so, and nobody says that MPI_Init was not called.
printf 'int PMPI_Init(int* a, char*** b) { (void)a, (void)b; return 0; }
int MPI_Init(int* a, char*** b) { return PMPI_Init(a, b); }
int MPI_Finalize(void) { return 0; }\n' >stub.c
printf 'int MPI_Init(int*, char***);\nint MPI_Finalize(void);
int main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 4; }\n' >stubbed.c
gcc -shared -fPIC -Wl,-soname,libmpi.so.99 -o libmpi.so.99 stub.c &&
  gcc -o stubbed stubbed.c ./libmpi.so.99 -Wl,-rpath,"$PWD" || exit 1
tarry measure -t -o other_mpi -- ./stubbed >other_mpi.out 2>other_mpi.err
[ $? = 4 ] || complain other_mpi "not status 4"
[ "$(grep -c "^tarry: '$PWD/libmpi.so.99' is not an MPI library that tarry knows" other_mpi.err)" = 1 ] ||
  complain other_mpi "not said once"
grep -q "(if no line above says more)" other_mpi.err || complain other_mpi "another cause is said"
[ $failed = 0 ] || exit 1
skip_without_several
