#!/bin/sh
# scalapack.sh -- two problem sizes on a grid of two by one processes; refinement may hang there, so there is none.
for data in LU LLT QR; do
  sed -E '/number of problem/s/^[0-9]+/2/
    /Iter[.] Ref[.]/s/^T/F/
    /number of process grids/{s/^[0-9]+/1/;n;s/^[0-9 ]+/2 /;n;s/^[0-9 ]+/1 /}' \
    "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/$data.dat" >"$data.dat"
done
