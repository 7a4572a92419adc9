# instrument_valgrind.sh -- recording a small program is clean under valgrind.
# no-san
set -eu
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
apps=$TARRY_ROOT/tests/apps/instrumented
make -s -f "$apps/Makefile" SOURCE="$apps" CC="tarry instrument $MPICC" CXX="tarry instrument g++" shapes libplugin.so
mkdir run
TARRY_ARCHIVE=$PWD/run TARRY_TRACE=1 TARRY_SUMMARY=1 valgrind -q --error-exitcode=9 ./shapes ./libplugin.so >out
tarry unify run
tarry archive verify run
tarry archive dump run | grep -q 'ENTER.*"third(double)"'
