"""A bad input: its files, the command, and the facts that the error message must contain."""

import dataclasses
import gzip
import io
import json
import zipfile

import numpy as np

HEAD = "a,b,kind\n"
ROWS = "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(40))  # lines 2 to 41
TABLE = HEAD + ROWS


@dataclasses.dataclass(frozen=True)
class Case:
    title: str
    files: dict  # name -> text, bytes, or a function of the folder; "name/" is an empty folder
    command: object  # the arguments of `gopnet`, as one string or a list of words
    parts: tuple  # texts that the message must contain
    varies: str = ""  # matches text that depends on the machine, such as its instruction sets


def case(title, files, command, *parts, varies=""):
    return Case(title, files, command, parts, varies)


def numbers(rows, columns=3):
    return (np.arange(rows * columns, dtype=np.float32) % 11).reshape(rows, columns)


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def zipped(name, content, encrypted=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), content)
    data = bytearray(out.getvalue())
    if encrypted:  # sets the flag bit in the central directory
        data[data.find(b"PK\1\2") + 8] |= 1
    return bytes(data)


def gz(content):
    return gzip.compress(content.encode(), mtime=0)


def safetensors(header, data=b""):
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def model(change):
    """Return a function of the folder that applies `change` to the bytes of its model."""
    return lambda folder: change((folder / "run" / "model.safetensors").read_bytes())
