# unpack.bash -- unpacks the recorded cases of tests/data/peer; sourced by the pipeline tests that use them.

# unpack_peer_cases NAME...: leaves the cases below ./peer and prints the folders that hold a trace and its values.
unpack_peer_cases() {
  mkdir -p peer
  local name
  for name in "$@"; do
    tar -xJf "$TARRY_ROOT/tests/data/peer/$name.tar.xz" -C peer || return 1
    find "peer/$name" -name gold.csv -printf '%h\n' | sort
  done
}
