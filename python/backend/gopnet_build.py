"""The build backend of `pip install .` (PEP 517). CMake builds the extension module, and this file packs the wheel.

It uses the standard library only, so that pip downloads nothing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib

from wheel_file import WheelFile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def version():
    """Return the version, which only CMakeLists.txt states: project(gopnet VERSION ...)."""
    return re.search(r"^project\(gopnet VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def metadata():
    """Return the text of METADATA (PEP 566)."""
    p = project()
    lines = ["Metadata-Version: 2.1", f"Name: {p['name']}", f"Version: {version()}", f"Summary: {p['description']}",
             f"License: {p['license']['text']}", f"Requires-Python: {p['requires-python']}"]
    lines += [f"Classifier: {classifier}" for classifier in p["classifiers"]]
    lines += [f"Requires-Dist: {requirement}" for requirement in p["dependencies"]]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / p["readme"]).read_text()]
    return "\n".join(lines)


def tag():
    python = "cp" + sysconfig.get_config_var("py_version_nodot")
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def run(*command):
    try:
        subprocess.run([str(part) for part in command], check=True)
    except FileNotFoundError:
        raise SystemExit(f"gopnet: {command[0]} is not installed; tools/setup python installs what the build needs") from None


def build_package(prefix):
    """Build the package and install its files in `prefix`. Keep the build folder, so that the next build is fast.

    The environment variable GOPNET_BUILD may name a build folder that was configured with GOPNET_PYTHON=ON.
    """
    given = os.environ.get("GOPNET_BUILD")
    build = ROOT / (given or "build/wheel")
    if not given:
        configure(build)
    run("cmake", "--build", build, "--target", "_core", "--parallel", os.environ.get("GOPNET_JOBS", os.cpu_count()))
    run("cmake", "--install", build, "--component", "python", "--prefix", prefix, "--strip")
    return build


def configure(build):
    options = {"CMAKE_BUILD_TYPE": "Release", "GOPNET_PYTHON": "ON", "GOPNET_CLI": "OFF", "GOPNET_TESTS": "OFF",
               "GOPNET_EXAMPLES": "OFF", "Python_EXECUTABLE": sys.executable, **ccache()}
    run("cmake", "-S", ROOT, "-B", build, *ninja(), *(f"-D{name}={value}" for name, value in options.items()))


def ninja():
    return ["-G", "Ninja"] if shutil.which("ninja") else []


def ccache():
    """Return the compiler cache that the user chose, if any: GOPNET_LAUNCHER=ccache."""
    launcher = os.environ.get("GOPNET_LAUNCHER")
    return {"CMAKE_CXX_COMPILER_LAUNCHER": launcher} if launcher else {}


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"gopnet-{version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"gopnet-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        build_package(prefix)
        pack(prefix, pathlib.Path(wheel_directory) / name)
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Build a wheel for `pip install -e .`. It points to the build folder, where the Python files are links."""
    name = f"gopnet-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        build = build_package(prefix)
        shutil.rmtree(pathlib.Path(prefix) / "gopnet")
        (pathlib.Path(prefix) / "gopnet.pth").write_text(f"{build / 'python'}\n")
        pack(prefix, pathlib.Path(wheel_directory) / name)
    return name


def pack(prefix, path):
    with WheelFile(path, f"gopnet-{version()}.dist-info") as wheel:
        for file in sorted(pathlib.Path(prefix).rglob("*")):
            if file.is_file():
                wheel.add(file.relative_to(prefix).as_posix(), file.read_bytes())
        wheel.add_info("METADATA", metadata())
        wheel.add_info("LICENSE", (ROOT / "LICENSE").read_text())
        wheel.add_info("WHEEL", f"Wheel-Version: 1.0\nGenerator: gopnet_build\nRoot-Is-Purelib: false\nTag: {tag()}\n")


def source_files():
    """List the files that git tracks; without git, all files except those in build folders."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z", "pyproject.toml", "."], cwd=ROOT, check=True,
                                capture_output=True).stdout
        names = [name for name in listed.decode().split("\0") if name]
        if "pyproject.toml" not in names:  # unpacked inside another repository
            raise OSError
        return names
    except (OSError, subprocess.CalledProcessError):
        files = (path.relative_to(ROOT) for path in sorted(ROOT.rglob("*")) if path.is_file())
        return [path.as_posix() for path in files if path.parts[0] not in {"build", "runs", ".git"}]


def build_sdist(sdist_directory, config_settings=None):
    base = f"gopnet-{version()}"
    pathlib.Path(sdist_directory).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, \
            tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name in source_files():
            tar.add(ROOT / name, f"{base}/{name}")
        info = pathlib.Path(folder) / "PKG-INFO"
        info.write_text(metadata())
        tar.add(info, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
