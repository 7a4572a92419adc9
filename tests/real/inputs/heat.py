"""heat.py -- DOLFINx: Poisson's equation on a square."""
import numpy
import ufl
from dolfinx import fem, mesh
from mpi4py import MPI
from petsc4py.PETSc import ScalarType

domain = mesh.create_unit_square(MPI.COMM_WORLD, 16, 16)
space = fem.FunctionSpace(domain, ("Lagrange", 1))
edge = mesh.locate_entities_boundary(domain, 1, lambda x: numpy.isclose(x[0], 0) | numpy.isclose(x[0], 1))
fixed = fem.dirichletbc(ScalarType(0), fem.locate_dofs_topological(space, 1, edge), space)
u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
problem = fem.petsc.LinearProblem(ufl.inner(ufl.grad(u), ufl.grad(v)) * ufl.dx, fem.Constant(domain, ScalarType(1)) * v * ufl.dx,
                                  bcs=[fixed], petsc_options={"ksp_type": "cg", "pc_type": "jacobi"})
solution = problem.solve()
total = MPI.COMM_WORLD.allreduce(fem.assemble_scalar(fem.form(solution * ufl.dx)))
if MPI.COMM_WORLD.rank == 0:
    print(f"{total:.8f}")
