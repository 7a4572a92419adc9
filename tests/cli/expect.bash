# expect.bash -- what scripts rely on: status and the last line on stderr; sourced by cases that check themselves.
wrong=0

# Runs a command; its streams are in ./out and ./err. With INPUT set, that is its standard input.
run_it() {
  "$@" >out 2>err </dev/null
  status=$?
}

complain() {
  {
    echo "WRONG: $1"
    echo "  status $status, stderr:"
    sed 's/^/    /' err
  } >&2
  wrong=1
}

# fails PATTERN COMMAND...: status 1, and one line on stderr that begins with the tool and matches PATTERN.
fails() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 1 ]; then complain "'$*' does not fail"
  elif [ "$(wc -l <err)" -ne 1 ]; then complain "'$*' says more or less than one line"
  elif ! grep -Eq "^tarry-[a-z]+: " err || ! grep -Eq -- "$pattern" err; then complain "'$*' does not say '$pattern'"
  else echo "fails: $*"
  fi
}

# skips PATTERN COMMAND...: status 0, and the last line on stderr matches PATTERN.
skips() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 0 ]; then complain "'$*' fails"
  elif ! tail -1 err | grep -Eq -- "$pattern"; then complain "'$*' does not end with '$pattern'"
  else echo "skips: $*"
  fi
}

# works COMMAND...: status 0.
works() {
  run_it "$@"
  if [ "$status" -ne 0 ]; then complain "'$*' fails"; else echo "works: $*"; fi
}

# differs PATTERN COMMAND...: status 1, and the last line on stdout matches PATTERN (verify).
differs() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 1 ] || ! tail -1 out | grep -Eq -- "$pattern"; then
    complain "'$*' does not find '$pattern'"
    sed 's/^/    /' out >&2
  else echo "differs: $*"
  fi
}

# holds WHAT COMMAND...: the command succeeds.
holds() {
  local what=$1
  shift
  run_it "$@"
  if [ "$status" -ne 0 ]; then complain "$what"; else echo "holds: $what"; fi
}

# record DIR: an archive of three ranks with a trace.
record() {
  [ -x ./progress ] || "$MPICC" -O1 -o progress "$TARRY_ROOT/tests/apps/progress.c" || exit 1
  tarry measure -q -s -t -o "$1" -- mpirun -np 3 ./progress "${2:-20}" || { echo "cannot record $1"; exit 1; }
}

damage() { "$PYTHON" "$TARRY_ROOT/tests/cli/damage.py" "$@" || exit 1; }

# container DIR: its one container.
container() { echo "$1"/events/*.tev; }
