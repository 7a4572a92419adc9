#!/bin/sh
# hpcc.sh SIZE COLUMNS -- a system of SIZE on a grid of 2 x COLUMNS. Only the first word of a line counts.
cat >hpccinf.txt <<INPUT
our input
small
HPL.out   file
8         to that file
1         size
$1       N
1         block size
32        NB
0         row-major
1         grid
2         P
$2         Q
16.0      threshold
1         panel factorisation
2         right-looking
1         recursion stop
4         NBMIN
1         panels
2         NDIV
1         recursive factorisation
1         Crout
1         broadcast
1         1rM
1         lookahead
1         depth
2         mixed swap
64        swapping threshold
0         L1 transposed
0         U transposed
1         equilibration
8         alignment
-
0         sizes for PTRANS
1200      unused
0         block sizes for PTRANS
40        unused
INPUT
