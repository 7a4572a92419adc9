# A script that fails once is told from one that fails always: both are printed, and named at the end.
mkdir -p suite/tests/pipeline
cp "$TARRY_ROOT/tests/run_tests.py" suite/tests/
echo 'exit 3' >suite/tests/pipeline/always.sh
echo 'exit 0' >suite/tests/pipeline/never.sh
echo "[ -d '$PWD/was_there' ] || { mkdir '$PWD/was_there'; exit 4; }" >suite/tests/pipeline/once.sh
for option in '' --second-try; do
  rm -rf was_there
  "$PYTHON" suite/tests/run_tests.py --mpi openmpi --jobs 1 $option |
    grep -E '^(ok|FAIL|again|[0-9]+ passed)' | sed 's/ ([0-9.]*)$//'
  echo "status ${PIPESTATUS[0]}"
done
