# opari_sources.sh -- OpenMP programs that OPARI2 cannot read, misreads or breaks are built by `tarry instrument gcc` and
# compute the same; files of dependencies name the sources.
# no-san
# timeout 240
set -eu
command -v opari2 >/dev/null || { echo "opari2 is not installed"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
export OMP_NUM_THREADS=2 TMPDIR=$PWD/copies
mkdir copies
mkdir table && cd table
"$PYTHON" "$TARRY_ROOT/tests/pipeline/opari_sources.py"
cd ..

# What the preprocessor alone does goes without OPARI2; make finds what a source depends on.
cat >header.h <<'C'
#define THREADS 2
C
cat >deps.c <<'C'
#include <stdio.h>
#include "header.h"
int main(void) {
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp critical
    puts("in the team");
  }
  return 0;
}
C
gcc -fopenmp -M deps.c >bare.d
tarry instrument --user gcc -fopenmp -M deps.c | sed 's| [^ ]*tarry/[a-z0-9]*\.h||' >measured.d
cmp bare.d measured.d || fail "-M names other files"
tarry instrument --user gcc -fopenmp -E deps.c | grep -q POMP2 && fail "-E shows what opari2 has done"
for options in "-MD -c -o deps.o" "-MMD -MP -MF named.d -c -o deps.o" "-Wp,-MD,wp.d -c -o deps.o" "-MMD -c"; do
  rm -f ./*.d deps.o
  tarry instrument --user gcc -fopenmp $options deps.c || fail "$options does not compile"
  grep -q 'tarry-openmp' ./*.d && fail "$options: the copy is in the file of dependencies: $(cat ./*.d)"
  grep -q 'deps\.c' ./*.d && grep -q 'header\.h' ./*.d || fail "$options: $(cat ./*.d)"
done
tarry instrument --user gcc -fopenmp -o deps deps.o
[ "$(./deps | wc -l)" = 2 ] || fail "deps"

# An error of the user's is told once, and stays one.
sed 's/puts(.*/put = 1;/' deps.c >wrong.c
gcc -fopenmp -c wrong.c 2>bare.err && fail "wrong.c compiles"
tarry instrument --user gcc -fopenmp -c wrong.c 2>measured.err && fail "wrong.c compiles"
[ "$(grep -c 'error:' measured.err)" = "$(grep -c 'error:' bare.err)" ] || { cat measured.err; fail "errors"; }
grep -q tarry measured.err && { cat measured.err; fail "a line of ours about an error of the user's"; }
[ -z "$(ls "$TMPDIR")" ] || fail "copies are left: $(ls "$TMPDIR")"
