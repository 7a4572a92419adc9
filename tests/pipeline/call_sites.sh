# call_sites.sh -- in one function, two calls of a function from two lines are two call paths, with file and line.
# no-san
# timeout 120
set -u
failed=0
source=$TARRY_ROOT/tests/apps/call_sites.c
complain() { echo "FAILED: $*"; failed=1; }
line_of() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }

# sites REPORT: "region file:line visits" of all call paths that have a call site.
sites() {
  "$PYTHON" - "$1" <<'END'
import sys, tarfile, re
import xml.etree.ElementTree as tree
anchor = tree.fromstring(tarfile.open(sys.argv[1]).extractfile("anchor.xml").read())
names = {region.get("id"): region.findtext("name") for region in anchor.iter("region")}
def walk(node, path):
    path = path + [names[node.get("calleeId")]]
    if node.get("mod"):
        print("/".join(path[1:]), node.get("mod").rsplit("/", 1)[-1] + ":" + node.get("line", "-1"))
    for child in node.findall("cnode"):
        walk(child, path)
for root in anchor.find("program").findall("cnode"):
    walk(root, [])
END
}

run() { tarry measure -q -s -t -o "$1" -- mpirun -np 2 "${@:2}" >"$1.out" 2>&1; }

"$MPICC" -O1 -g -Wall -Werror -o app "$source" || exit 1
run plain ./app || complain "status $?"
tarry replay -q --strict plain || complain "replay"
for report in analysis summary; do sites plain/$report.cubex | sort >$report.sites; done
cmp analysis.sites summary.sites || complain "summary and trace have other call sites"
for expected in "main/MPI_Barrier fifth" "main/MPI_Barrier sixth" "main/sum third" "main/sum fourth" \
  "main/sum/MPI_Allreduce first" "main/sum/MPI_Allreduce second"; do
  grep -qx "${expected% *} call_sites.c:$(line_of "${expected#* }")" analysis.sites || complain "no $expected"
done
[ "$(grep -c ^main/sum/ analysis.sites)" = 3 ] || complain "third calls the first and the second, fourth the first"

# Values add up where paths are compared by their names.
tarry cube dump --csv -m visits plain/analysis.cubex >plain.csv
grep -qx 'visits,app/main/sum/MPI_Allreduce,0,0,7' plain.csv || complain "$(grep Allreduce plain.csv)"
tarry cube calltree -m visits plain | grep -q "MPI_Barrier  (call_sites.c:$(line_of fifth))" || complain "calltree"
tarry cube calltree -m visits --folded plain 2>folded.err | grep -x 'app;main;MPI_Barrier 4' || complain "folded"
tarry report plain | grep -q "main at .*call_sites.c:" || complain "the report names no line"

# An edit that moves lines breaks no comparison.
mkdir -p other
sed '5i /* a new line */' "$source" >other/call_sites.c
"$MPICC" -O1 -g -o other/app other/call_sites.c || exit 1
run moved other/app || complain "status of the other one"
tarry replay -q moved
tarry cube cmp --metric visits --tolerance 0% --per callpath plain moved >cmp.out || { cat cmp.out; complain "cmp"; }
tarry cube diff plain/analysis.cubex moved/analysis.cubex -o - | tarry cube dump --csv -m visits - | tail -n +2 | grep . &&
  complain "diff"

# Other operations keep the lines.
for operation in merge mean min max clean; do
  rm -f result.cubex
  tarry cube $operation plain/analysis.cubex -o result.cubex
  diff <(sites plain/analysis.cubex) <(sites result.cubex) || complain "$operation"
done

# Without debug information a call is its address; two calls remain two.
"$MPICC" -O1 -s -o app "$source" || exit 1
run stripped ./app && tarry replay -q stripped
[ "$(sites stripped/analysis.cubex | grep -cE '^main/MPI_Barrier app\+0x[0-9a-f]+:-1$')" = 2 ] || complain "stripped"

# A process that is killed: its lines are looked up afterwards.
"$MPICC" -O1 -g -o app "$source" || exit 1
run killed ./app end && complain "not killed"
tarry replay -q killed
sites killed/analysis.cubex | grep -qx "main/MPI_Barrier call_sites.c:$(line_of sixth)" || complain "killed"

# Other formats know functions.
tarry merge -q --to csv plain -o plain.events.csv
tarry merge -q --to otf2 plain -o otf2
tarry replay -q otf2/traces.otf2 -o back.cubex
tarry cube dump --csv -m visits back.cubex | cmp - plain.csv || complain "OTF2"
tarry archive dump plain >/dev/null || complain "dump"

# Without call paths there are no call sites.
run without env TARRY_CALLPATHS=0 ./app && tarry replay -q without
sites without/analysis.cubex | grep . && complain "call sites without call paths"
exit $failed
