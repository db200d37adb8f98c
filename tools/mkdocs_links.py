"""Hook of mkdocs: links to files of the repository outside of docs/ are shown as plain text.

On the web site of the code these links work; the documentation site does not hold those files.
tools/check_prose checks that they exist.
"""
import pathlib
import re

LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)\s]*)\)")


def on_page_markdown(markdown, page, config, **_):
    docs = pathlib.Path(config["docs_dir"]).resolve()
    folder = (docs / page.file.src_path).parent

    def plain(found):
        target = (folder / found[2].split("#")[0]).resolve()
        return found[0] if docs in target.parents else found[1]

    return LINK.sub(plain, markdown)
