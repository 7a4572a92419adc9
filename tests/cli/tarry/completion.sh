# completion.sh -- bash completes tools, operations, options, their values and file names.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
cat >bin/tarry-replay <<'TOOL'
#!/bin/sh
echo 'Usage: tarry-replay [OPTIONS] input
Positionals:
  input                       archive, or anchor file (traces.otf2)

Options:
  -o,--output FILE            where to, not --elsewhere
  --format text|github|junit
                              how
  --strict                    fail on damage

Examples:
  tarry replay --no-option run'
TOOL
cat >bin/tarry-report <<'TOOL'
#!/bin/sh
case $1 in
  diff) printf 'Usage: x\n\nPositionals:\n  REPORT   a .cubex file\n\nOptions:\n  -n,--number N   how many\n' ;;
  *) printf 'Usage: x\n\nOptions:\n  --strict   fail\n\nOperations:\n  diff    minus\n  dump    values\n' ;;
esac
TOOL
PATH=$PWD/bin:$PATH
. "$TARRY_ROOT/bin/tarry-completion.bash"
printf '#!/bin/sh\n' >bin/launch-a-test
chmod +x bin/launch-a-test
mkdir 'my run'
touch rest restart.otf2 restored.cubex
complete_line() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _tarry
  echo "$* -> $(printf '%s,' "${COMPREPLY[@]}")"
}
complete_line tarry ''
complete_line tarry re
complete_line tarry help m
complete_line tarry replay --
complete_line tarry replay -
complete_line tarry replay my
complete_line tarry replay --strict re
complete_line tarry replay -o re
complete_line tarry replay --format ''
complete_line tarry replay --format = j
complete_line tarry report d
complete_line tarry report diff --
complete_line tarry report --strict diff re
complete_line tarry help report du
complete_line tarry measure -- launch-a-te
