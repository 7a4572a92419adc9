#!/bin/sh
# foam.sh CASE -- a tutorial of OpenFOAM, made small, for two ranks: cavity, dam or pipe.
set -e
tutorials=/usr/share/doc/openfoam-examples/examples
settings() {  # NAME VALUE...: of controlDict
  while [ $# -gt 0 ]; do
    sed -i "s/^$1 .*/$1 $2;/" system/controlDict
    shift 2
  done
}
case $1 in
  cavity)
    cp -r $tutorials/incompressible/icoFoam/cavity/cavity/. .
    sed -i 's/(20 20 1)/(60 60 1)/' system/blockMeshDict
    settings endTime 0.02 deltaT 0.001 writeInterval 10
    ;;
  dam)
    cp -r $tutorials/multiphase/interFoam/laminar/damBreak/damBreak/. .
    settings endTime 0.02 writeInterval 0.01
    ;;
  pipe)
    cp -r $tutorials/incompressible/simpleFoam/pitzDaily/. .
    settings endTime 10 writeInterval 10
    rm -f system/streamlines
    sed -i '/^functions/,$d' system/controlDict
    ;;
esac
chmod -R u+w .
[ ! -e 0 ] && [ -e 0.orig ] && cp -r 0.orig 0
cat >system/decomposeParDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains 2;
method simple;
simpleCoeffs { n (2 1 1); delta 0.001; }
coeffs { n (2 1 1); }
END
blockMesh >log.mesh
[ "$1" != dam ] || setFields >log.fields
decomposePar >log.parts
rm -f log.*
