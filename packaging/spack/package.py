# package.py -- recipe of Tarry for Spack.
#
#   spack repo create mine && spack repo add mine
#   mkdir -p mine/packages/tarry && cp packaging/spack/package.py mine/packages/tarry/
#   spack develop --path "$PWD" tarry@main && spack install tarry      (in an environment; builds this source tree)
from spack.package import *


# Spack has no package of D3. For `tarry explore` build by hand: make D3=FOLDER, with the modules d3-* of `npm install d3@5`
# in the folder, and esbuild.
class Tarry(MakefilePackage):
    """Tarry measures MPI, OpenMP and hybrid programs and finds where they wait, why they wait, and what it costs."""

    license("BSD-3-Clause")

    version("main")

    variant("opari2", default=True, description="records OpenMP regions of programs that are built with GCC")
    variant("cuda", default=False, description="records CUDA")
    variant("headers", default=False, description="records functions of libraries by their headers")
    variant("papi", default=False, description="records hardware counters")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("mpi")
    depends_on("zlib-api")
    depends_on("libdeflate")
    depends_on("jemalloc")
    depends_on("cli11@2.1:", type="build")
    depends_on("tinyxml2")
    depends_on("otf2@3:")
    depends_on("re2")
    depends_on("elfutils")
    depends_on("sqlite@3.35:")
    depends_on("openssl")
    depends_on("postgresql")
    depends_on("rapidjson", type="build")
    depends_on("opencl-c-headers", type="build")
    depends_on("opari2", type="run", when="+opari2")
    depends_on("cuda", type=("build", "run"), when="+cuda")
    depends_on("llvm+python", type="run", when="+headers")
    depends_on("papi", type=("build", "run"), when="+papi")

    conflicts("%gcc@:11", msg="Tarry is written in C++20")
    conflicts("platform=darwin", msg="Tarry records programs on Linux")

    def make_arguments(self):
        mpi = self.spec["mpi"]
        cuda = self.spec["cuda"].prefix if "+cuda" in self.spec else ""
        return [f"PREFIX={self.prefix}", f"CC={spack_cc}", f"CXX={spack_cxx}", f"MPICC={mpi.mpicc}",
                f"MPICXX={mpi.mpicxx}", f"CUDA={cuda}"]

    def build(self, spec, prefix):
        make("all", *self.make_arguments())

    def install(self, spec, prefix):
        make("install", *self.make_arguments())
