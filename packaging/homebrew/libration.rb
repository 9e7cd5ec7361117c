# For a tap. Address and checksum are placeholders until there is a release. Linux on x86-64 only: the library needs libquadmath,
# which comes with gcc and not with Apple's compiler.
class Libration < Formula
  desc "Structure-preserving integration of constrained mechanical systems"
  homepage "https://example.org/libration"
  url "https://example.org/libration-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "pybind11" => :build
  depends_on "tomlplusplus" => :build
  depends_on arch: :x86_64
  depends_on "fmt"
  depends_on "hdf5"
  depends_on :linux
  depends_on "llvm@19"
  depends_on "numpy"
  depends_on "python@3.13"
  depends_on "sleef"

  fails_with :clang

  def python3
    which("python3.13")
  end

  def install
    args = %W[
      -DPython_EXECUTABLE=#{python3}
      -DLIBRATION_PYTHON_MODULE=ON
      -DLIBRATION_LLVM=ON
      -DLIBRATION_TESTS=OFF
      -DLIBRATION_WERROR=OFF
    ]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build", "--target", "libration-products"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"libration", "run", "pendulum", "--steps", "1000"
    system python3, "-c", "import libration; libration.load('pendulum').run('rattle', step=0.01, steps=10)"
  end
end
