"""poisson.py -- petsc4py: Poisson's equation in one dimension by conjugate gradients, with two preconditioners."""
import sys
import petsc4py
petsc4py.init(sys.argv)
from petsc4py import PETSc

n = 4000
matrix = PETSc.Mat().createAIJ([n, n], nnz=3)
begin, end = matrix.getOwnershipRange()
for row in range(begin, end):
    for column, value in ((row - 1, -1.0), (row, 2.01), (row + 1, -1.0)):
        if 0 <= column < n:
            matrix[row, column] = value
matrix.assemble()
solution, right = matrix.createVecs()
for kind in ("jacobi", "bjacobi"):
    right.set(1.0)
    solver = PETSc.KSP().create()
    solver.setOperators(matrix)
    solver.setType("cg")
    solver.getPC().setType(kind)
    solver.setTolerances(rtol=1e-8)
    solver.solve(right, solution)
    PETSc.Sys.Print(f"{kind}: {solver.getIterationNumber()} iterations, norm {solution.norm():.6e}")
