# full_disk.sh -- output that does not arrive is a failure.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
for arguments in '' --help --version; do
  bin/tarry $arguments >/dev/full
  [ $? -eq 1 ] || echo "tarry $arguments: status is not 1"
done
