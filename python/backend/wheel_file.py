"""Writes a wheel, a zip archive whose RECORD lists its files with checksums. The same files give the same bytes."""
import base64
import hashlib
import zipfile


class WheelFile:
    """A wheel to write. Leaving the context without an exception adds RECORD; always closes the file."""

    def __init__(self, path, info_folder):
        self._zip = zipfile.ZipFile(path, "w", compression=zipfile.ZIP_DEFLATED)
        self._info = info_folder
        self._record = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            name = f"{self._info}/RECORD"
            self._write(name, "".join(f"{line}\n" for line in [*self._record, f"{name},,"]).encode())
        self._zip.close()

    def add(self, name, content):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}")
        self._write(name, content)

    def add_info(self, name, text):
        self.add(f"{self._info}/{name}", text.encode())

    def _write(self, name, content):
        info = zipfile.ZipInfo(name)  # dated 1980, so that the bytes do not depend on the time
        info.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, content)
