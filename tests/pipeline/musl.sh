# musl.sh -- programs of another C library (musl) run as ever under `tarry measure`, wherever they are started.
# no-san
set -u
command -v musl-gcc >/dev/null || { echo "musl-gcc is not installed"; exit 77; }
failed=0
complain() { echo "$1: $2"; cat "$1.err" "$1.out" 2>/dev/null; failed=1; }

# It prints its arguments, and ends with their number. With `run` in front it executes them.
cat >words.c <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int count, char** words) {
  if (count > 2 && strcmp(words[1], "run") == 0) return execv(words[2], words + 2);
  for (int i = 1; i < count; ++i) puts(words[i]);
  return count - 1;
}
END
musl-gcc -O1 -o words_musl words.c && gcc -O1 -o words_gnu words.c || exit 1
ln -sf words_musl words_link
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=5 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
printf '#!%s -x\n' "$PWD/words_musl" >script_musl
printf '#!/bin/sh\n./words_musl a b; echo "status $?"; (exec ./words_link c); echo "status $?"\n' >script_shell
chmod +x script_musl script_shell

# alike NAME OPTIONS COMMAND...: the output, the errors and the status of the command are as bare.
alike() {
  local name=$1 options=$2 bare
  shift 2
  "$@" >"$name.bare" 2>"$name.said"
  bare=$?
  # shellcheck disable=SC2086  # several options
  tarry measure $options -o "$name" -- "$@" >"$name.out" 2>"$name.err"
  [ $? = $bare ] || complain "$name" "not status $bare"
  cmp "$name.bare" "$name.out" || complain "$name" "other output"
  grep -v '^tarry' "$name.err" | cmp - "$name.said" || complain "$name" "other errors"
}
# Each library of ours is loaded once more in a case of its own.
alike direct -t ./words_musl a b c
grep -qF "nothing was recorded: ./words_musl uses musl as its C library" direct.err || complain direct "no reason"
alike with_files "-t --io --metrics heap" ./words_musl a b c
alike in_shell -t ./script_shell
alike by_interpreter -t ./script_musl a
alike by_env -t env A=1 nice ./words_musl a b
alike by_python -t "$PYTHON" -c 'import subprocess, sys
sys.exit(subprocess.run(["./words_musl", "x", "y"]).returncode + subprocess.call("./words_musl z", shell=True))'
# From one C library to the other and back: none of the variables is lost on the way.
alike there_and_back -t ./words_gnu run ./words_musl run ./words_gnu run ./words_musl a b
# Of a job that fails, mpirun says more or less, as it comes.
alike ranks -t mpirun -np 2 sh -c './words_musl a || exit 0'

# A program of the GNU C library behind it is recorded.
alike behind "-s -t" mpirun -np 2 ./words_musl run ./end return 0
grep -q "behind holds a summary and a trace of 2 processes" behind.err || complain behind "not recorded"
tarry replay -q --strict behind || complain behind "is not accepted"
exit $failed
