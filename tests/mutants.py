"""Breaks the program in many places, one at a time; every break must make a test of the unit tier fail.

Run by `make mutants`. Each change is made in a copy of the project and stopped at its first failing test.
"""

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from recipes.yaml12 import read_yaml

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (
    ".git",
    ".venv",
    ".pulumi-tools",
    ".pulumi-state",
    "rendered",
    "__pycache__",
    "go",
    ".*_cache",
)
AT_ONCE = 2  # cores of the smallest machine that this must run on


@dataclass(frozen=True)
class Mutant:
    file: str
    old: str
    new: str

    def survives(self) -> bool:
        """Whether all tests still pass with this change."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "project"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
            path = copy / self.file
            text = path.read_text(encoding="utf-8")
            if self.old not in text:
                raise SystemExit(
                    f"{self.file} does not hold {self.old!r}: bring tests/mutants.yaml up to date."
                )
            path.write_text(text.replace(self.old, self.new, 1), encoding="utf-8")
            return _tests_pass(copy)


def _tests_pass(copy: Path) -> bool:
    options = ["-x", "-q", "-p", "no:cacheprovider", "--ignore=tests/unit/tools"]
    command = [sys.executable, "-m", "pytest", *options, "tests/unit"]
    ran = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1, 2):  # 2: the change broke the import of a test, which is a failure too
        raise SystemExit(f"pytest could not run:\n{ran.stdout}\n{ran.stderr}")
    return ran.returncode == 0


def main() -> int:
    table = read_yaml((ROOT / "tests/mutants.yaml").read_text(encoding="utf-8"), "tests/mutants.yaml")
    mutants = [Mutant(file, old, new) for file, changes in table.items() for old, new in changes]
    if not Mutant("README.md", "", "").survives():
        raise SystemExit("The tests fail without any change; nothing can be told by changing more.")
    survivors = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for mutant, survived in zip(mutants, pool.map(Mutant.survives, mutants), strict=True):
            survivors += survived
            print(
                f"{'SURVIVED' if survived else 'caught  '}  {mutant.file}: {mutant.old.strip()}", flush=True
            )
    print(f"{len(mutants) - survivors} of {len(mutants)} changes made a test fail.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
