# completion.sh -- bash completes tools, options and file names.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
cat >bin/tarry-replay <<'TOOL'
#!/bin/sh
echo 'Usage: tarry-replay [OPTIONS] input
Options:
  -o,--output TEXT    where to
  --strict            fail on damage'
TOOL
PATH=$PWD/bin:$PATH
. "$TARRY_ROOT/bin/tarry-completion.bash"
printf '#!/bin/sh\n' >bin/launch-a-test
chmod +x bin/launch-a-test
mkdir 'my run'
touch rest
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
complete_line tarry replay my
complete_line tarry replay --strict re
complete_line tarry measure -- launch-a-te
