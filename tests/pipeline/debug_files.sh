# debug_files.sh -- files and lines of calls, where debug information was split off the program.
# no-san
# timeout 120
set -euo pipefail
"$MPICC" -O1 -g -o whole "$TARRY_ROOT/tests/apps/call_sites.c" -Wl,--build-id
objcopy --only-keep-debug whole whole.debug

# lines NAME: those of the call sites that the report of ./NAME has.
lines() {
  rm -rf run
  tarry measure -q -t -o run -- mpirun -np 2 "./$1"
  tarry replay -q --strict run
  tarry cube calltree -m visits run/analysis.cubex | sed -nE 's/.*MPI_[A-Za-z]+ +\(([^)]*)\)$/\1/p' | sort
}
expect() { diff truth found >differences || { cat differences; echo "$1"; exit 1; }; }
lines whole >truth
grep -q '^call_sites.c:[0-9]' truth || { cat truth; echo "the program itself has no lines"; exit 1; }

objcopy --strip-all whole bare
lines bare >found
if grep -q call_sites.c found; then echo "lines without debug information"; exit 1; fi

# By .gnu_debuglink: in .debug/, beside the program, and below a folder of debug information.
objcopy --strip-all --remove-section .note.gnu.build-id --add-gnu-debuglink=whole.debug whole linked
mkdir .debug && cp whole.debug .debug/
mv whole.debug kept
lines linked >found && expect ".debug/"
mv .debug/whole.debug . && rmdir .debug
lines linked >found && expect "beside the program"
mkdir -p "folder$PWD" && mv whole.debug "folder$PWD"
TARRY_DEBUG_PATH=/nowhere:$PWD/folder lines linked >found && expect "TARRY_DEBUG_PATH"

# Another file of that name is not believed.
head -c -1 kept >whole.debug
lines linked >found
if grep -q call_sites.c found; then echo "lines from a file with another checksum"; exit 1; fi
rm whole.debug

# By build ID.
id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
mkdir -p "ids/.build-id/${id:0:2}" && cp kept "ids/.build-id/${id:0:2}/${id:2}.debug"
TARRY_DEBUG_PATH=$PWD/ids lines bare >found && expect "build ID"
"$MPICC" -O1 -g -DOTHER -o other "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm -Wl,--build-id
cp other "ids/.build-id/${id:0:2}/${id:2}.debug"
TARRY_DEBUG_PATH=$PWD/ids lines bare >found
if grep -q '\.c:' found; then echo "lines from a file with another build ID"; exit 1; fi
