# For a Spack repository: packages/libration/package.py. Address and checksum are placeholders until there is a release.

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Libration(CMakePackage):
    """Integrates constrained mechanical systems with structure-preserving methods: program, C++ library, Python package."""

    homepage = "https://example.org/libration"
    url = "https://example.org/libration-0.1.0.tar.gz"

    license("BSD-3-Clause")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("llvm", default=True, description="Generate machine code with LLVM")
    variant("python", default=True, description="Build the Python package")

    generator("ninja")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("fmt@9:")
    depends_on("hdf5~mpi")
    depends_on("sleef")
    depends_on("llvm@14:19", when="+llvm")

    with when("+python"):
        extends("python@3.11:")
        depends_on("py-pybind11@2.11:", type="build")
        depends_on("py-numpy@1.24:", type=("build", "run"))

    requires("%gcc@12:", msg="Libration needs libquadmath, which comes with gcc")
    requires("platform=linux", msg="Libration is tested on Linux only")
    requires("target=x86_64:", msg="Libration needs an x86-64 processor")

    def cmake_args(self):
        args = [
            self.define_from_variant("LIBRATION_LLVM", "llvm"),
            self.define_from_variant("LIBRATION_PYTHON_MODULE", "python"),
            self.define("LIBRATION_TESTS", False),
            self.define("LIBRATION_WERROR", False),
        ]
        if self.spec.satisfies("+python"):
            args.append(self.define("Python_EXECUTABLE", self.spec["python"].command.path))
        return args
