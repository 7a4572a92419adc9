# balance.sh -- load balance by kind, with causes and interference; too few processors; the same as JSON.
"$PYTHON" "$TARRY_ROOT/tests/report/make_balance.py" a.cubex
"$PYTHON" "$TARRY_ROOT/tests/report/make_balance.py" --preempted preempted.cubex
"$PYTHON" "$TARRY_ROOT/tests/report/make_balance.py" --oversubscribed many.cubex
tarry report a.cubex
tarry report preempted.cubex | sed -n '1,/^$/p; /^Load balance/,/^$/p'
tarry report many.cubex | sed -n '1,/^$/p'
tarry report --json -o a.json preempted.cubex
"$PYTHON" - <<'END'
import json
found = json.load(open("a.json"))
print(found["oversubscription"], found["processors"][3])
balance = found["load_balance"]
print(balance["computation"]["kind"], balance["computation"]["minority"])
for region in balance["regions"]:
    print(region["region"], region["kind"], region["minority"] or region["highest"], round(region["impact"], 6), region["cost"], region["causes"])
for pair in balance["pairs"]:
    print(pair["regions"], pair["kind"], round(pair["apart"], 6), round(pair["together"], 6), pair["is_synchronised"])
END
