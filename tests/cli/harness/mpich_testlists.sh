# mpich_testlists.sh -- mpich_suite.py reads test lists: options, comments, folders, templates.
mkdir -p suite/coll suite/threads/pt2pt suite/f90/coll suite/perf
cat >suite/testlist.in <<'END'
coll
@f90dir@
threads
END
cat >suite/coll/testlist.in <<'END'
# allred 4
allred 4
@strict@allred 10 arg=-counts=1,2 arg=two env=MPIR_CVAR_A=b=c timeLimit=300 mem=6.5
  fatal 1   resultTest=TestErrFatal
quiet 2 resultTest=TestStatusNoErrors mpiexecarg=-disable-auto-cleanup
warns 2 resultTest=TestAllowWarnings strict=false
END
echo "configured 3" >suite/threads/pt2pt/testlist
echo "@template@configured 5" >suite/threads/pt2pt/testlist.in
echo "fortran 4" >suite/f90/coll/testlist
echo "slow 4" >suite/perf/testlist
echo "device 4" >suite/coll/testlist.gpu
list() { "${PYTHON:-python3}" -B "$TARRY_ROOT/tests/foreign/mpich_suite.py" suite --list "$@"; }
list
echo "--- some"
list --only '^coll/(fatal|warns)'
echo "--- none"
list --only '^nothing'
