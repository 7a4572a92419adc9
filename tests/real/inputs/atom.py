"""atom.py -- GPAW: a hydrogen molecule on a coarse grid."""
from ase import Atoms
from gpaw import GPAW

molecule = Atoms("H2", positions=[(2, 2, 2), (2, 2, 2.74)], cell=(4, 4, 4.7))
molecule.calc = GPAW(h=0.35, txt=None, maxiter=12, convergence={"energy": 1, "density": 1, "eigenstates": 1})
energy = molecule.get_potential_energy()
if molecule.calc.wfs.world.rank == 0:
    print(f"{energy:.4f}")
