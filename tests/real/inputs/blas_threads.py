"""blas_threads.py -- NumPy: products of matrices by OpenBLAS's own threads."""
import numpy

generator = numpy.random.default_rng(1)
matrix = generator.random((400, 400))
for step in range(20):
    matrix = matrix @ matrix.T
    matrix /= numpy.linalg.norm(matrix)
print(f"{matrix[0, 0]:.9f}")
