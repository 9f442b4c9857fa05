"""Documents: every example runs, and the type stubs name what there is."""

import ast
import re
from pathlib import Path

import pytest

import duoforge
from conftest import ROOT
from duoforge import _native

PAGES = [ROOT / "crates" / "python" / "README.md", ROOT / "docs" / "python.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    """The examples of a page share their names, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert examples
    names: dict = {}
    for number, example in enumerate(examples, 1):
        exec(compile(example, f"{page.name}, example {number}", "exec"), names)


def members(names: list[str]) -> set[str]:
    """Names that users see, and the special methods that stubs name."""
    special = {"_repr_svg_", "_restore_variant", "__version__"}
    return {name for name in names if not name.startswith("_") or name in special}


def test_the_stubs_name_what_there_is():
    stubs = ast.parse((Path(duoforge.__file__).parent / "_native.pyi").read_text())
    found = {}
    for node in stubs.body:
        if isinstance(node, ast.ClassDef):
            functions = [it.name for it in node.body if isinstance(it, ast.FunctionDef)]
            found[node.name] = members(functions)
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = None
    assert set(found) == members(dir(_native))
    for name, functions in found.items():
        if functions is not None and name != "IllegalMoveError":
            assert functions == members(dir(getattr(_native, name))), name
    assert set(duoforge.__all__) == set(found) - {"_restore_variant"}
    assert (Path(duoforge.__file__).parent / "py.typed").is_file()


def test_everything_has_a_description():
    for name in duoforge.__all__:
        value = getattr(duoforge, name)
        if name != "__version__":
            assert value.__doc__, name
        if isinstance(value, type) and name != "IllegalMoveError":
            for member in members(dir(value)) - {"_repr_svg_"}:
                assert getattr(value, member).__doc__, f"{name}.{member}"
