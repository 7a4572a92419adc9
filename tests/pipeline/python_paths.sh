# python_paths.sh -- call paths of Python programs are what the programs see themselves, for each version that is there.
# no-san
# timeout 300
set -euo pipefail
[ "$TARRY_TEST_MPI" = openmpi ] || { echo "the program loads Open MPI itself"; exit 77; }
apps=$TARRY_ROOT/tests/apps

# check PREFIX COMMAND...: a trace and a summary of two processes have the paths that they write to truth.RANK, below
# those of their functions in C.
check() {
  local prefix=$1
  shift
  rm -rf run truth.*
  tarry measure -q --callpaths on -s -t -o run -- mpirun -np 2 "$@" truth
  tarry replay -q --strict run
  for report in summary analysis; do
    tarry cube dump --csv -m visits "run/$report.cubex" >visits.csv
    python3 "$TARRY_ROOT/tests/pipeline/check_python_paths.py" "run/$report.cubex" visits.csv "$prefix" truth.0 truth.1
  done
}

tested=" "
for python in /usr/bin/python3 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14; do
  version=$("$python" -c 'import platform; print(platform.python_version())' 2>/dev/null) || continue
  case $tested in *" $version "*) continue ;; esac
  tested+="$version "
  echo "CPython $version:"
  check "" "$python" "$apps/python_paths.py"
done
[ "$tested" != " " ] || { echo "there is no Python"; exit 77; }

flags=$(/usr/bin/python3-config --embed --includes --ldflags 2>/dev/null) || { echo "nothing to embed Python"; exit 0; }
"$MPICC" -O2 -Wno-deprecated-declarations -o python_embedded "$apps/python_embedded.c" $flags
echo "embedded:"
check main/run_script/ ./python_embedded "$apps/python_paths.py"
