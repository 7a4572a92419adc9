# needs_full_device.bash -- sourced by tests that write to a full disk: skips the test where the device is no device.
if [ ! -c /dev/full ]; then
  echo "/dev/full is not a device here"
  exit 77
fi
