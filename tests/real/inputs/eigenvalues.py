"""eigenvalues.py -- slepc4py: the largest eigenvalues of a tridiagonal matrix."""
import sys
import slepc4py
slepc4py.init(sys.argv)
from petsc4py import PETSc
from slepc4py import SLEPc

n = 300
matrix = PETSc.Mat().createAIJ([n, n], nnz=3)
begin, end = matrix.getOwnershipRange()
for row in range(begin, end):
    for column, value in ((row - 1, -1.0), (row, 2.0), (row + 1, -1.0)):
        if 0 <= column < n:
            matrix[row, column] = value
matrix.assemble()
solver = SLEPc.EPS().create()
solver.setOperators(matrix)
solver.setProblemType(SLEPc.EPS.ProblemType.HEP)
solver.setDimensions(3)
solver.solve()
for i in range(min(3, solver.getConverged())):
    PETSc.Sys.Print(f"{solver.getEigenvalue(i).real:.6f}")
