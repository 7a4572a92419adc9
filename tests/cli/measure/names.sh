# names.sh -- archives are named after the program and counted; a program that never calls MPI is said to.
tarry measure -- env A=1 true
tarry measure -- true
tarry measure -- true x
ls
