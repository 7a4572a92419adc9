# tutorial.sh -- every command of the tutorial works, in the order in which it stands there.
# no-san
# timeout 300
set -eu
command -v hpcc >/dev/null || { echo "hpcc is not installed"; exit 77; }
ln -s "$TARRY_ROOT/tests" tests
sed -n 's/^\$ //p' "$TARRY_ROOT/docs/TUTORIAL.md" >commands.txt
# Packages may come without their examples.
test -e /usr/share/doc/hpcc/examples/_hpccinf.txt || sed -i '/hpcc/d' commands.txt
command -v lmp >/dev/null || sed -i '/lmp\|lj/d' commands.txt
command -v tarry-explore >/dev/null || sed -i '/tarry explore/d' commands.txt
test "$(wc -l <commands.txt)" -gt 20
while IFS= read -r command; do
  echo "$ $command"
  bash -e -o pipefail -c "$command" </dev/null
done <commands.txt
