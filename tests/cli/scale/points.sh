# points.sh -- models of a table: exact ones, ties, zeros, a value that falls, names that need quotes, too few points.
"$PYTHON" - <<'MAKE'
import csv
rows = csv.writer(open("points.csv", "w", newline=""))
rows.writerow(["callpath", "metric", "p", "n", "value"])
for p in (4, 8, 16, 32, 64):
    for repeat in range(2):
        rows.writerow(["main/solve", "time", p, "", 3 + 2 * p])
        rows.writerow(["main/\"odd\", name", "time", p, "", 42])
        rows.writerow(["main/idle", "time", p, "", 0])
        rows.writerow(["main/shared", "time", p, "", 1 + 64 / p])
    for n in (10, 20, 30, 40, 50):
        rows.writerow(["main/both", "flops", p, n, 5 + 0.5 * p * n])
for p in (4, 8):
    rows.writerow(["main/short", "time", p, "", p])
MAKE
tarry scale --points points.csv --at p=1000

# A table of a spreadsheet, through a pipe; values that no computer can square.
printf '\357\273\277callpath,metric,p,value\r\n"a, ""b""",time,1,1\r\n"a, ""b""",time,2,2\r\n"a, ""b""",time,4,4\r
"a, ""b""",time,8,8\r\nhuge,time,1,1e300\r\nhuge,time,2,1e301\r\nhuge,time,4,1e302\r\nhuge,time,8,1e303\r\n' |
  tarry scale --points -
cat >show.py <<'SHOW'
import csv, json, sys
for row in csv.DictReader(sys.stdin):
    terms = [{key: f"{value:.9g}" if key == "c" else value for key, value in term.items()}
             for term in json.loads(row["terms"] or "[]")]
    figures = [f"{float(row[name]):.5f}" if row[name] else "-" for name in ("constant", "rss", "smape", "adjusted_r2")]
    print(row["callpath"], row["metric"], terms, *figures, sep="; ")
SHOW
tarry scale --points points.csv --csv | "$PYTHON" show.py
tarry scale --points points.csv --like extra-p --csv | "$PYTHON" show.py
tarry scale --points points.csv --json | "$PYTHON" -c '
import json, sys
rows = {(r["callpath"], r["metric"]): r for r in json.load(sys.stdin)["models"]}
both = rows["main/both", "flops"]
print(both["parameters"], len(both["points"]), both["model"]["text"], rows["main/short", "time"]["why"])'
tarry scale --points points.csv --hypotheses | awk -F, '/solve/' | wc -l
