# topologies.sh -- grids and graphs of processes: recorded, unified, through OTF2 and back, and in the report.
# no-san
# mpich-long
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
"$MPICC" -std=gnu11 -O1 -Wall -Werror -o topologies "$TARRY_ROOT/tests/apps/topologies.c" || exit 1
tarry measure -q -s -t --callpaths off -o run -- mpirun -np 6 ./topologies || exit 1

# places ARCHIVE: without those in the hardware, which are not ours to say. Communicators by order of appearance.
places() { tarry archive info --places "$1" | awk '$1 == "place" && $2 != "-"' | cut -c 16-; }
shapes() { tarry archive info "$1" | grep '^topology.*communicator' | cut -c 16-; }

places run >places.txt
awk '{ if (!($1 in number)) number[$1] = ++count; $1 = number[$1]; print }' places.txt >found.txt
cat >expected.txt <<'END'
1 0 at 0 0
1 1 at 0 1
1 2 at 0 2
1 3 at 1 0
1 4 at 1 1
1 5 at 1 2
2 0 at 0
2 1 at 1
2 2 at 2
3 0 at 0 0
3 1 at 0 1
3 2 at 0 2
3 3 at 1 0
3 4 at 1 1
3 5 at 1 2
4 0 at 0
4 1 at 1
4 2 at 2
5 0 at 0
5 1 at 1
5 2 at 2
5 3 at 3
5 4 at 4
5 5 at 5
6 0 at 0
6 1 at 1
6 2 at 2
7 0 at 0
7 1 at 1
7 2 at 2
8 0 from 1 2 to 1 2
9 0 from 4 to 2 1
8 1 from 2 3 to 2 3
9 1 from 0 2 4 to
8 2 from 3 4 to 3 4
9 2 from 0 to 4 1
8 3 from 4 5 to 4 5
9 3 from to
8 4 from 5 to 5
9 4 from 2 to 0 1
8 5 from to
9 5 from to
END
diff found.txt expected.txt || fail "other places"
[ "$(shapes run | grep -c '^2 x 3 (round) grid of communicator')" -eq 2 ] || fail "the grid and its copy"
[ "$(shapes run | grep -c '^3 (round) grid of communicator')" -eq 4 ] || fail "the rows and their copies"
[ "$(shapes run | grep -c '^graph of communicator [0-9]*, 6 ranks, [69] edges$')" -eq 2 ] || { shapes run; fail "the graphs"; }

# From whom data comes: twice the next one, of odd ranks themselves too, and the second of two neighbours. Not where all send.
for rank in 0 1 5; do
  tarry archive dump run --rank $rank | awk '/MPI_COLLECTIVE_PARTNERS/ { print $5, $6 }' | xargs
done >partners.txt
cat >expected.txt <<'END'
first=0 mask=2 first=0 mask=2 first=0 mask=2
first=0 mask=6 first=0 mask=6 first=0 mask=2
first=0 mask=33 first=0 mask=33 first=0 mask=2
END
diff partners.txt expected.txt || fail "other partners"

# Through OTF2 and back.
tarry merge -q --strict run -o otf2 --to otf2 && tarry merge -q --strict --from otf2 otf2/traces.otf2 -o again || exit 1
places again | sort >again.txt
sort places.txt | cmp - again.txt || fail "other places after OTF2"
[ "$(shapes again | sort)" = "$(shapes run | sort)" ] || fail "other shapes after OTF2"
if command -v otf2-print >/dev/null; then
  otf2-print --show-global-defs otf2/traces.otf2 2>complaints | grep -c '^CART_COORDINATE' | grep -qx 30 || fail "coordinates in OTF2"
  test -s complaints && { cat complaints; fail "otf2-print complains"; }
fi

# In the reports: equal grids once, so the large one, two rows and the ring.
tarry replay -q --strict run && tarry replay -q --strict otf2/traces.otf2 -o imported.cubex || fail "replay"
mpirun -np 3 tarry replay -q run -o three.cubex >three.out 2>&1 && cmp run/analysis.cubex three.cubex || fail "three processes"
tarry cube dump --csv run/analysis.cubex >run.csv && tarry cube dump --csv imported.cubex >imported.csv
cmp run.csv imported.csv || fail "another report after OTF2"
for report in run/summary.cubex run/analysis.cubex imported.cubex; do
  tarry cube info "$report" | grep "^topology.*'Grid of" >grids.txt
  [ "$(grep -c ' 2 x 3$' grids.txt)" -eq 1 ] && [ "$(wc -l <grids.txt)" -eq 4 ] || { cat grids.txt; fail "grids of $report"; }
done
tarry cube mean run/analysis.cubex run/analysis.cubex -o mean.cubex && tarry cube info mean.cubex | grep -q " 2 x 3$" ||
  fail "cube loses the grid"

# A program that is bound to a core says where that is.
core=/sys/devices/system/cpu/cpu0/topology
if grep -qsx '[0-9]*' $core/core_id && grep -qsx '[0-9]*' $core/physical_package_id && taskset -c 0 true 2>/dev/null; then
  "$MPICC" -std=gnu11 -O1 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1
  taskset -c 0 tarry measure -q -s -t -o bound -- ./end return 0 || fail "bound to a core"
  tarry archive info --places bound | grep -qx "place *- 0 at 0 $(cat $core/physical_package_id) $(cat $core/core_id)" ||
    { tarry archive info --places bound; fail "the place of a bound process"; }
  tarry cube info bound/summary.cubex | grep -q "^topology.*'Hardware' 1 x" || fail "the hardware in a report"
fi
exit $failed
