# version.sh -- the front door and the build agree on the version.
test "$(tarry --version)" = "tarry $(sed -n 's/^VERSION *:= *//p' "$TARRY_ROOT/Makefile")"
