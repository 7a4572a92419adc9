# unknown.sh -- an unknown tool or option is wrong usage, with a way out.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
for name in replya rep frobnicate ../bin/tarry-replay '' --frobnicate; do
  bin/tarry "$name" x
  [ $? -eq 2 ] || echo "'$name': status is not 2"
done
bin/tarry help mesure
