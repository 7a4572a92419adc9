# install.sh -- an installed tree works on its own: tools find each other and the measurement library.
# no-san
# mpich-long
set -eu
BUILD=$TARRY_BUILD "$TARRY_ROOT/bin/install-tree" "$PWD/prefix"
(cd prefix && find . -type f | sort)
test -f prefix/share/bash-completion/completions/tarry
test -f prefix/share/doc/tarry/LICENSE
test -s prefix/share/man/man1/tarry.1
# Moved elsewhere, and nothing of the repository on PATH.
mv prefix moved
PATH=$PWD/moved/bin:$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$TARRY_ROOT/bin" | paste -sd:)
test "$(command -v tarry)" = "$PWD/moved/bin/tarry"
"$MPICC" -o late_sender "$TARRY_ROOT/tests/apps/late_sender.c"
tarry measure -t -o run -- mpirun -np 4 ./late_sender
tarry replay run
tarry report run
tarry measure -q --wrap blas,lapack,fftw,hdf5,netcdf --metric-plugin network:lo -o wrapped -- true
