# clang_files.sh -- functions that LLVM's compilers have made have their file and line, in each version of DWARF.
# no-san
# timeout 120
set -eu
command -v clang >/dev/null || { echo "there is no clang"; exit 77; }
cat >app.c <<'C'
#include <unistd.h>
__attribute__((noinline)) static void pause_here(void) {
  usleep(20 * 1000);
  __asm__ volatile("");
}
int main(void) {
  pause_here();
  return 0;
}
C
for version in 4 5; do
  tarry instrument clang -O1 -g -gdwarf-$version -o app app.c
  tarry measure -q -s -o run$version -- ./app
  tarry report --json run$version >found.json
  "$PYTHON" - "$PWD/app.c" <<'PYTHON' || { echo "with DWARF $version"; exit 1; }
import json, sys
longest = json.load(open("found.json"))["callpaths"][0]
print(longest)
sys.exit((longest["function"], longest["file"], longest["line"]) != ("pause_here", sys.argv[1], 2))
PYTHON
done
