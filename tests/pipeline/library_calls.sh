# library_calls.sh -- calls of BLAS, LAPACK, FFTW, HDF5 and netCDF are recorded, as the program measures them itself.
# The first call of a function takes longer for the program, as the recorder looks at the stack in front of it.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
app=$TARRY_ROOT/tests/apps/library_calls.c
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v path="$2" 'NR > 1 && $0 ~ path {sum += $NF} END {print sum + 0}'; }
hdf5=$(pkg-config --cflags --libs hdf5-serial 2>/dev/null || echo -lhdf5)
# LAPACK that is not one library with BLAS calls it through the dynamic linker.
libraries=/usr/lib/$(gcc -dumpmachine)
reference=
[ -e "$libraries/lapack/liblapack.so.3" ] && [ -e "$libraries/blas/libblas.so.3" ] && reference=$libraries/lapack:$libraries/blas
missing=
for library in 'blas-openblas -lopenblas' 'blas-reference -lblas' 'lapack-any -llapack -lblas' 'fftw-3 -lfftw3' \
  "hdf5-any $hdf5" 'netcdf-any -lnetcdf'; do
  case=${library%% *}
  set=${case%%-*}
  if ! gcc -O1 -g -DWITH_$(echo $set | tr a-z A-Z) "$app" -o app-$case ${library#* } 2>/dev/null; then
    missing="$missing $case"
    continue
  fi
  ./app-$case >bare.told 2>bare.err
  tarry measure -q -s -t --wrap $set -o $case -- ./app-$case >$case.told 2>$case.err
  [ $? = 4 ] || fail "$case: another status"
  diff bare.err $case.err || fail "$case: other results"
  /usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" $case/summary.cubex $case.told --tolerance 0.1 --slack 0.01 || fail "$case: summary"
  tarry replay -q --strict $case || fail "$case is not analysed"
  /usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" $case/analysis.cubex $case.told --tolerance 0.1 --slack 0.01 || fail "$case: analysis"
  LD_LIBRARY_PATH=$reference tarry measure -q -s --wrap blas,lapack,fftw,hdf5,netcdf --wrap-nested -o $case.all -- \
    ./app-$case >out 2>err
  diff bare.err err || fail "$case: other results with nested calls"
  case $set in
    blas) [ "$(visits $case/summary.cubex 'dgemm_[(]m=200,n=300,k=300[)]')" = 5 ] || fail "sizes of dgemm_" ;;
    fftw) [ "$(visits $case/summary.cubex 'fftw_plan_dft[(]n=64x32x16[)]')" = 1 ] || fail "sizes of a plan" ;;
    hdf5) [ "$(visits $case/summary.cubex 'H5Screate_simple[(]dims=512x512[)]')" = 1 ] || fail "sizes of a data space" ;;
    lapack) [ -z "$reference" ] || [ "$(visits $case.all/summary.cubex 'dgetrf_/.*/dtrsm_"?,')" -gt 0 ] || fail "dgetrf_ calls nothing of BLAS" ;;
    netcdf) [ "$(visits $case.all/summary.cubex 'nc_put_var_double/.*/H5Dwrite"?,')" = 10 ] || fail "netCDF writes without HDF5" ;;
  esac
done
# Files inside of calls are recorded there.
if [ -x app-hdf5-any ]; then
  tarry measure -q -s --io --wrap hdf5 -o files -- ./app-hdf5-any >out 2>err
  [ "$(visits files/summary.cubex '/H5Dwrite/.*pwrite"?,')" -ge 20 ] || fail "HDF5 writes nothing in H5Dwrite"
fi

# Libraries that Python opens for itself only.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  cat >multiply.py <<'PY'
import sys
import time
import numpy
a = numpy.ones((500, 500))
spent = 0
for _ in range(10):
    begin = time.perf_counter()
    b = a @ a + 0
    spent += time.perf_counter() - begin
    a = b / 500
print("cblas_dgemm", 10, spent)
print(b[3][4], numpy.linalg.det(numpy.eye(4) * 2), file=sys.stderr)
PY
  /usr/bin/python3 multiply.py >bare.told 2>bare.err
  tarry measure -q -s --wrap blas,lapack -o python -- /usr/bin/python3 multiply.py >python.told 2>python.err
  diff bare.err python.err || fail "Python: other results"
  [ "$(visits python/summary.cubex '/cblas_dgemm,')" = 10 ] || fail "Python: $(visits python/summary.cubex '/cblas_dgemm,') of 10 calls"
  [ "$(visits python/summary.cubex '/dgetrf_,')" = 1 ] || fail "Python: $(visits python/summary.cubex '/dgetrf_,') calls of dgetrf_"
else
  missing="$missing numpy"
fi
[ $failed = 0 ] || exit 1
[ -z "$missing" ] || { echo "not installed:$missing"; ls app-* >/dev/null 2>&1 || exit 77; }
