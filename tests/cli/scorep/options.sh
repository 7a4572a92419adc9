# options.sh -- tarry-scorep: what the options of Score-P's instrumenter become, and which are refused.
. "$TARRY_ROOT/tests/cli/expect.bash"
headers=$(tarry-scorep-config --headers)
macros=" -DSCOREP_USER_ENABLE -I$headers -I$headers/scorep"
plain=" -I$headers -I$headers/scorep"
echo 'int main(void) { return 0; }' >good.c
echo 'SCOREP_REGION_NAMES_BEGIN EXCLUDE f SCOREP_REGION_NAMES_END' >rules

# becomes EXPECTED WORD...: the command that `tarry-scorep --dry-run WORD...` prints ends so.
becomes() {
  local expected=$1 said
  shift
  said=$(tarry-scorep --dry-run "$@" 2>err) || complain "fails: $*"
  [ ! -s err ] || complain "$* says: $(cat err)"
  case $said in *"$expected") ;; *) complain "$* becomes: $said" ;; esac
}
becomes " -c good.c$macros" --user gcc -c good.c
becomes " -c good.c$plain" gcc -c good.c
becomes " -c good.c$plain" --user --nouser -- gcc -c good.c
becomes " -c good.c$plain" --mpp=shmem --noshmem gcc -c good.c
becomes " -c good.c$macros" --mpp=mpi --thread=omp:pomp_tpd --mutex=none --nopdt --user --openmp --nocuda --noopencl \
  --io=none --memory --keep-files --noonline-access --nopreprocess --static --no-as-needed gcc -c good.c
SCOREP_WRAPPER_INSTRUMENTER_FLAGS="--user --thread=pthread" SCOREP_WRAPPER_COMPILER_FLAGS="-DA -DB" \
  becomes " -c good.c -DA -DB$macros" gcc -c good.c
tarry-scorep --dry-run gcc -c good.c | grep -q -- -finstrument-functions || complain "functions are not recorded"
tarry-scorep --dry-run --nocompiler gcc -c good.c | grep -q -- -finstrument-functions && complain "functions are recorded"
tarry-scorep --dry-run --instrument-filter=missing gcc -c good.c 2>err && complain "a missing filter is taken"
grep -q '^tarry-instrument: missing: No such file' err || complain "of a missing filter: $(cat err)"
tarry-scorep --instrument-filter=rules gcc -c good.c || complain "a filter is not taken"

# refused WORD STATUS MESSAGE: one line.
refused() {
  tarry-scorep $1 2>err
  local status=$?
  [ $status = "$2" ] && [ "$(wc -l <err)" = 1 ] && grep -q "$3" err || complain "$1: status $status: $(cat err)"
}
refused "--pdt gcc -c good.c" 2 'no source instrumentation by PDT'
refused "--no-such gcc -c good.c" 2 'no such option'
refused "--user" 2 'no command to run'
refused "--openacc gcc -c good.c" 0 'is not recorded'
refused "no-such-compiler -c good.c" 127 'nothing was compiled'

# Wrappers by name, for cmake and configure.
tarry-scorep --create gcc wrappers || complain "no wrapper"
SCOREP_WRAPPER=off wrappers/scorep-gcc -c good.c -o plain.o || complain "the wrapper is not the plain compiler"
nm plain.o | grep -q __cyg_profile && complain "the wrapper instruments though it is switched off"
wrappers/scorep-gcc -c good.c -o wrapped.o || complain "the wrapper does not compile"
nm wrapped.o | grep -q __cyg_profile_func_enter || complain "the wrapper does not instrument"
SCOREP_WRAPPER_INSTRUMENTER_FLAGS=--nocompiler wrappers/scorep-gcc -c good.c -o bare.o
nm bare.o | grep -q __cyg_profile && complain "the wrapper does not heed its options"
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  tarry-scorep --user $compiler -Werror -c good.c -o $compiler.o && tarry-scorep --user $compiler -Werror $compiler.o -o $compiler.out 2>err ||
    complain "$compiler: $(cat err)"
  [ ! -s err ] || complain "$compiler: $(cat err)"
done

[ "$(tarry-scorep-config --user --mpp=mpi --cflags)" = "${macros# }" ] || complain "cflags"
[ "$(tarry-scorep-config --libs)" = "$(tarry --libs)" ] || complain "libs"
[ "$(tarry-scorep-config --version)" = "$(tarry --version)" ] || complain "version"
tarry-scorep-config --no-such 2>err && complain "a wrong option is taken"
exit $wrong
