# inlined_functions.sh -- functions that the compiler has inlined are nodes of call paths, as debug information tells.
# no-san
# timeout 200
# mpich-long
set -euo pipefail
fail() { echo "FAILED: $1"; exit 1; }
case $(uname -m) in x86_64 | aarch64) ;; *) echo "stacks are not walked on this processor" && exit 77 ;; esac
app=$TARRY_ROOT/tests/apps/inlined_functions.cpp

# check CASE ARCHIVE: the numbers in the header of the program. `off`: without inlined functions.
check() {
  tarry replay -q --strict "$2"
  for report in summary analysis; do tarry cube dump --csv "$2/$report.cubex" >$report.csv; done
  "$PYTHON" "$TARRY_ROOT/tests/pipeline/compare_summary.py" summary.csv analysis.csv 15 || fail "$1: summary and trace"
  "$PYTHON" - "$1" <<'END' || fail "$1: see above"
import collections, csv, re, sys
values, lambdas = collections.defaultdict(collections.Counter), set()
for row in csv.DictReader(open("analysis.csv")):
    path = re.sub(r"\(anonymous namespace\)::|\((double)?\)", "", row["callpath"])
    lambdas.update(re.findall(r"/third/([^/]*)/MPI_Barrier", path))
    path = re.sub(r"/third/[^/]*(operator|lambda|\$_0)[^/]*", "/third/LAMBDA", path)
    path = path[path.index("main"):] if "main" in path else path
    if row["metric"] != "mpi_barrier_wait" or row["rank"] == "0":
        values[row["metric"]][path] += float(row["value"])
pauses = [float(word) for line in open("truth") for word in line.split()]
if "off" in sys.argv[1]:
    waits = {"main/first/MPI_Barrier": pauses[0], "main/second/MPI_Barrier": pauses[1]}
    visits = {"main/first/MPI_Barrier": 4, "main/second/MPI_Barrier": 10, "main/third/MPI_Barrier": 2}
else:
    waits = {"main/first/exchange/MPI_Barrier": pauses[0], "main/second/step/exchange/MPI_Barrier": pauses[1]}
    visits = {"main/first/exchange/MPI_Barrier": 4, "main/second/step/exchange/MPI_Barrier": 8,
              "main/second/MPI_Barrier": 2, "main/third/LAMBDA/MPI_Barrier": 2}
wrong = [f"{path}: {values['visits'][path]} visits, not {count}" for path, count in visits.items()
         if values["visits"][path] != count]
wrong += [f"{path}: waits {values['mpi_barrier_wait'][path]:.4f} s, not {wanted:.4f}" for path, wanted in waits.items()
          if abs(values["mpi_barrier_wait"][path] - wanted) > 0.1 * wanted + 0.02]  # a processor may be late
for metric, of_paths in values.items():
    wrong += [f"{metric} of {path}: {value}" for path, value in of_paths.items() if value and
              (path.endswith(("/exchange", "/step", "/LAMBDA")) or "std::" in path)]
wrong += [f"{name} does not tell the function that the lambda is in" for name in lambdas if "third" not in name]
print(*wrong, sep="\n")
sys.exit(bool(wrong))
END
}

measured() { rm -rf run && tarry measure -q -s -t -o run "$@" >truth; }
for flags in "-O2 -g" "-O2 -g -gdwarf-4" "-O3 -g -gdwarf-5 -ffunction-sections" clang; do
  if [ "$flags" = clang ]; then
    command -v clang++ >/dev/null || continue
    OMPI_CXX=clang++ MPICH_CXX=clang++ mpicxx -std=c++17 -O2 -g -o app "$app"
  else
    mpicxx -std=c++17 $flags -o app "$app"
  fi
  measured -- mpirun -np 2 ./app && check "$flags" run
done

# With samples, and what is above the paths of inlined functions.
measured --sample 499 -- mpirun -np 2 ./app 3 && check sampled run
tarry cube calltree -m visits run/analysis.cubex >tree
line=$(grep -n 'exchange(seconds);' "$app" | head -1 | cut -d: -f1)
grep -q "exchange.*(inlined_functions.cpp:$line)" tree || { cat tree; fail "inlined calls have no lines"; }
mpirun -np 2 tarry replay -q --strict run -o parallel.cubex
cmp run/analysis.cubex parallel.cubex || fail "two analysis processes"
tarry report run >/dev/null || fail report

# The functions of events are those that were called, here and in other formats.
tarry merge -q --strict --to otf2 run -o otf2
[ "$(tarry merge --fingerprint run)" = "$(tarry merge --fingerprint otf2/traces.otf2)" ] || fail "OTF2"

# Unified anew, or never, as the program was killed.
rm run/definitions* && tarry unify -q run && check "unified anew" run

measured --inline off -- mpirun -np 2 ./app && check off run
TARRY_INLINE=0 measured -- mpirun -np 2 ./app && check "off by TARRY_INLINE" run

# A filter knows their names.
printf 'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *exchange*\nSCOREP_REGION_NAMES_END\n' >rules
measured -f rules -- mpirun -np 2 ./app
tarry cube calltree -m visits run/summary.cubex >tree
grep -q exchange tree && { cat tree; fail "the filter does not see inlined functions"; }
grep -q step tree || { cat tree; fail "the filter excludes what is around"; }

# Another program of that name tells nothing.
mv app former && measured -- mpirun -np 2 ./former
printf '\n\n' | cat - "$app" >moved.cpp && mpicxx -std=c++17 -O2 -g -o former moved.cpp
rm run/definitions* && tarry unify -q run && tarry replay -q run
tarry cube calltree -m visits run >tree
if grep -q exchange tree; then cat tree; fail "another program"; fi
