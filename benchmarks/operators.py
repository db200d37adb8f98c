"""The operators that a search goes through by default, as docs/operators.md lists them: the program prints that page."""
import pathlib

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "operators.md"


def read(page=PAGE):
    """{kind: {name: formula}} of the operators that are searched by default, in the order of the library."""
    found, kind = {}, None
    for line in page.read_text().splitlines():
        if line.startswith("## "):
            kind = found.setdefault(line[3:], {})
        elif line.startswith("| ") and " | yes | " in line:
            name, formula = line.strip("| ").split(" | yes | ")
            kind[name] = formula
    return found


NODAL, POOL, ACTIVATION = (read()[kind] for kind in ("nodal", "pool", "activation"))
SETS = len(NODAL) * len(POOL) * len(ACTIVATION)
SEPARABLE = [name for name, formula in NODAL.items() if "(" not in formula]  # psi = w f(y): a matrix product
TERMS = {name: 0 if formula.startswith("max") else formula.count("z_") for name, formula in POOL.items()}  # multiplied
