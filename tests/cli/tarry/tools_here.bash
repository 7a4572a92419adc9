# tools_here.bash -- puts a copy of the front door and a few stand-ins for tools into ./bin; sourced by the cases.
mkdir -p bin
cp "$TARRY_ROOT/bin/tarry" bin/
for tool in measure replay report; do
  printf '#!/bin/sh\necho "tarry-%s:" "$@"\nexit ${STATUS:-0}\n' "$tool" >"bin/tarry-$tool"
  chmod +x "bin/tarry-$tool"
done
