# explorer_programs.sh -- pages of real runs in a browser: the run of `make demo` before and after its cure, with a series
# of visits, LAMMPS with call paths, a grid of 64 ranks, threads in processes. Each has a timeline; views open, values are
# those of the reports.
# timeout 300
# no-san
set -eu
fail() { echo "$1"; exit 1; }
. "$TARRY_ROOT/tests/pipeline/browser.bash"

# record NAME RANKS COMMAND...: an analysed archive.
record() {
  local name=$1 ranks=$2
  shift 2
  tarry measure -q -t -o "$name" -- mpirun -np "$ranks" "$@" >"$name.out" && tarry replay -q --strict "$name" || fail "$name"
}
demo=$TARRY_ROOT/tests/apps/halo_exchange.c
"$MPICC" -O2 -g -o uneven "$demo" -lm
sed 's|is_slow(block) ? kRowsPerRank \* 3 / 2 : kRowsPerRank|kRowsPerRank|' "$demo" >even.c
cmp -s "$demo" even.c && fail "the cure changes nothing"
"$MPICC" -O2 -g -o even even.c -lm
"$MPICC" -O2 -g -o halo_2d "$TARRY_ROOT/tests/apps/halo_2d.c"
tarry instrument "$MPICC" -O2 -g -o halos "$demo" -lm
record before 8 ./uneven
record after 8 ./even
record visits 8 ./halos 40
tarry replay -q --strict --iterations exchange_halos visits
record grid 64 ./halo_2d 20
tarry cube info grid/analysis.cubex | grep -q '^topology.* 8 x 8$' || fail "the grid has no topology"
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases sp-mz-S-2x2 >cases
hybrid=peer/sp-mz-S-2x2
tarry replay -q $hybrid/traces.otf2 -o $hybrid/analysis.cubex

tarry explore before after -o both.html
tarry explore visits -o visits.html
tarry explore grid -o grid.html
tarry explore $hybrid/traces.otf2 -o hybrid.html
pages="both.html=before/analysis.cubex,after/analysis.cubex visits.html=visits/analysis.cubex grid.html=grid/analysis.cubex hybrid.html=$hybrid/analysis.cubex"
if command -v lmp >/dev/null; then
  record liquid 4 lmp -in "$TARRY_ROOT/tests/apps/in.liquid"
  tarry explore liquid -o liquid.html
  pages="$pages liquid.html=liquid/analysis.cubex"
fi
check check_pages.py --view Timeline $pages
