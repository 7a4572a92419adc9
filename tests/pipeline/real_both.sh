# real_both.sh -- programs of Debian that come for Open MPI and for MPICH: measured they find what they find bare, replay has
# no complaint, and where the program decides alone both flavours have the same messages, bytes and collective operations.
# long
# no-san
# timeout 1200
set -u
[ "$(command -v mpirun.openmpi)" ] && [ "$(command -v mpirun.mpich)" ] || { echo "not both MPI libraries are installed"; exit 77; }
# Debian's MPICH 4.0 loses one-sided operations through shared memory: NWChem's energy is wrong without Tarry, too.
export MPIR_CVAR_NOLOCAL=1 OPENBLAS_NUM_THREADS=1
failed=0
tried=0

fail() {
  echo "FAILED: $1"
  failed=1
}

# counts ARCHIVE: what the program sent, over all processes.
counts() {
  tarry cube dump --csv "$1/analysis.cubex" | awk -F, '
    $1 ~ /^(comms_send|comms_recv|bytes_sent|bytes_rcvd|comms_coll|bytes_coll|syncs_coll)$/ { sum[$1] += $NF }
    END { for (metric in sum) print metric, sum[metric] }' | sort
}

# both NAME PROCESSES TEXT COMMAND...: COMMAND, FLAVOUR in it replaced, in a folder of its own for each flavour and way.
# The parts of its output that match TEXT must be the same everywhere.
both() {
  local name=$1 processes=$2 text=$3 flavour command folder=$PWD
  shift 3
  for flavour in openmpi mpich; do
    command=("mpirun.$flavour" -np "$processes" "${@//FLAVOUR/$flavour}")
    mkdir -p "$name-$flavour/bare" "$name-$flavour/measured"
    cp inputs/* "$name-$flavour/bare"
    cp inputs/* "$name-$flavour/measured"
    (cd "$name-$flavour/bare" && "${command[@]}" >"$folder/$name-$flavour.bare" 2>&1) || fail "$name, $flavour: status $? bare"
    (cd "$name-$flavour/measured" && tarry measure -q -t -o run -- "${command[@]}" >"$folder/$name-$flavour.measured" 2>&1) ||
      fail "$name, $flavour: status $? measured"
    tarry replay -q --strict "$name-$flavour/measured/run" || fail "$name, $flavour: replay complains"
    counts "$name-$flavour/measured/run" >"$name-$flavour.counts"
  done
  grep -ohE "$text" "$name-openmpi.bare" >"$name.text"
  [ -s "$name.text" ] || fail "$name: its output has nothing of '$text'"
  for output in "$name"-openmpi.measured "$name"-mpich.bare "$name"-mpich.measured; do
    grep -ohE "$text" "$output" | diff "$name.text" - || fail "$name: $output says something else"
  done
  tried=$((tried + 1))
}

same_counts() { diff "$1-openmpi.counts" "$1-mpich.counts" || fail "$1: the flavours have other counts"; }

mkdir inputs
testers=$(echo /usr/lib/*/scalapack)
if [ -x "$testers/openmpi-tests/xdlu" ] && [ -x "$testers/mpich-tests/xdlu" ]; then
  # Two problem sizes on a grid of two by two processes. Where the solution is refined there, the testers may hang bare.
  for data in LU LLT QR; do
    sed -E '/number of problem/s/^[0-9]+/2/
      /Iter[.] Ref[.]/s/^T/F/
      /number of process grids/{s/^[0-9]+/1/;n;s/^[0-9 ]+/2 /;n;s/^[0-9 ]+/2 /}' "$testers/openmpi-tests/$data.dat" >"inputs/$data.dat"
  done
  for tester in xdlu xdllt xdqr; do
    both $tester 4 "[0-9]+ tests? completed.*" "$testers/FLAVOUR-tests/$tester"
    same_counts $tester
  done
fi

mkdir flavours
if command -v NPopenmpi >NP.where && command -v NPmpich2 >>NP.where; then
  ln -s "$(command -v NPopenmpi)" flavours/NP-openmpi
  ln -s "$(command -v NPmpich2)" flavours/NP-mpich
  both netpipe 2 "^ *[0-9]+: *[0-9]+ bytes +[0-9]+ times" "$PWD/flavours/NP-FLAVOUR" -n 50 -u 4096 -p 0 -o np.out
  same_counts netpipe
fi

# Debian's ray tracer is a program without MPI only, but has a library for each MPI.
for flavour in openmpi mpich; do
  mpicc.$flavour -std=gnu11 -O1 -o flavours/render-$flavour "$TARRY_ROOT/tests/apps/render.c" -ltachyon-$flavour 2>>render.log
done
if [ -x flavours/render-openmpi ] && [ -x flavours/render-mpich ]; then
  both tachyon 4 "^image [0-9a-f]+" "$PWD/flavours/render-FLAVOUR"
  sed -i /bytes_coll/d tachyon-*.counts  # it gathers names of hosts, of MPI_MAX_PROCESSOR_NAME characters
  same_counts tachyon
fi

if command -v nwchem.openmpi >nwchem.where && command -v nwchem.mpich >>nwchem.where; then
  cat >inputs/water.nw <<'END'
start water
geometry units angstrom noautosym
  O 0.0 0.0 0.0
  H 0.0 0.757 0.587
  H 0.0 -0.757 0.587
end
basis
  * library 6-31g*
end
task scf energy
END
  # Which process computes what is decided while it runs.
  both nwchem 2 "Total SCF energy = +-[0-9]+[.][0-9]{6}" nwchem.FLAVOUR water.nw
fi
[ $tried -gt 0 ] || { echo "none of the programs is installed in both flavours (make deps-long)"; exit 77; }
exit $failed
