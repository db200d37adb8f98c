"""List the operators that a search tries by default, from the page that `gopnet help operators --markdown` printed."""
import pathlib

PAGE = next((pathlib.Path(__file__).resolve().parent.parent / "docs").rglob("operators.md"))


def read(page=PAGE):
    """Return {kind: {name: formula}} of the operators searched by default, in the order of the library."""
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
SEPARABLE = [name for name, formula in NODAL.items() if "(" not in formula]  # psi = w f(y): matrix products
TERMS = {name: 0 if formula.startswith("max") else formula.count("z_") for name, formula in POOL.items()}  # factors in a term
