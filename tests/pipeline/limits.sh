# limits.sh -- whatever a limit takes from a tool becomes one line and status 1, and nothing half-written is left.
# no-san
# timeout 600
set -u
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
trace=$PWD/micro/g1-late-sender-chain/traces.otf2
mkdir start && cd start || exit 1
tarry merge -q --from otf2 "$trace" -o run || exit 1
cp -r run open && echo >open/recording && rm open/definitions.tdef
tarry replay -q run -o analysis.cubex || exit 1
cd .. || exit 1
tools=$(dirname "$(command -v tarry-replay)")
"$PYTHON" "$TARRY_ROOT/tests/pipeline/limits.py" "$tools" start "$trace"
wrong=$?

# same_when_measured NAME SETUP SCRIPT: the measured command finds signals, descriptors and limits as it does without us,
# and its status comes through.
same_when_measured() {
  local plain measured
  (eval "$2"; exec sh -c "$3") >plain.out 2>/dev/null
  plain=$?
  (eval "$2"; exec tarry measure -q -s -o "measured-$1" -- sh -c "$3") >measured.out 2>measured.err
  measured=$?
  [ $plain -eq $measured ] && cmp plain.out measured.out && return
  echo "$1: plain $plain, measured $measured"
  cat measured.err
  wrong=1
}
# Signals 32 and 33 are the C library's own.
state='grep -o "^Sig[BIC].*" /proc/self/status | sed "s/[0-9a-f]*\\(.\\{7\\}\\)$/\\1/"; ls /proc/self/fd | wc -l'
same_when_measured signals 'true' "$state"
same_when_measured ignored 'trap "" PIPE XFSZ' "$state"
same_when_measured no-stdout 'exec >&-' 'echo text'
same_when_measured file-size 'ulimit -f 64' 'exec head -c 1000000 /dev/zero >big'
exit $wrong
