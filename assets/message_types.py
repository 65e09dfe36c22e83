"""Write visual/web/*/messages.d.ts, the types of the messages in the browser, from the TypedDicts of visual/payload/message_types.

python -m assets.message_types

Every class and every union becomes a type of the same name; what is said of a class or a field is said there too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPES, WEB = ROOT / "visual" / "payload" / "message_types", ROOT / "visual" / "web"
WRITTEN = {
    "base": ("run.py", "step.py", "kinds.py", "panels.py", "kit.py"),
    "compare": ("compare.py",),
    "curves": ("curves.py",),
    "lab": ("lab.py",),
    "learn": ("learn.py",),
}
"""Folder of the page's modules -> the files whose types it gets, as messages.d.ts; the others take from the first what they import."""
WIDTH = 140
"""Characters of a line, as the other files of the page have them."""
NAMES = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "object": "unknown", "None": "null", "True": "true"}
NAMES["PlotlyData"] = "Record<string, unknown>"


def written(folder: str) -> str:
    """The file of a folder."""
    sources = WRITTEN[folder]
    modules = [ast.parse((TYPES / source).read_text(encoding="utf-8")) for source in sources]
    head = f"// Written by `python -m assets.message_types` from {', '.join(sources)} in visual/payload/message_types: change those.\n"
    imports = "" if folder == "base" else f'import type {{ {", ".join(sorted(_imported(modules[0])))} }} from "../base/messages";\n'
    return "\n".join([head, *filter(None, [imports]), *(declared for module in modules for declared in _declared(module))])


def path_of(folder: str) -> Path:
    """Where it is written."""
    return WEB / folder / "messages.d.ts"


def _imported(module: ast.Module) -> Iterator[str]:
    """The types that a module takes from the messages of a run."""
    for statement in module.body:
        if isinstance(statement, ast.ImportFrom) and f"{statement.module}.py" in WRITTEN["base"]:
            yield from (alias.name for alias in statement.names)


def _declared(module: ast.Module) -> Iterator[str]:
    """The classes and the unions of a module, each with its comment."""
    for statement, following in zip(module.body, [*module.body[1:], ast.Pass()], strict=True):
        match statement:
            case ast.ClassDef(name=name, bases=[ast.Name(id=base)]):
                total = all(keyword.arg != "total" for keyword in statement.keywords)
                parent = "" if base == "TypedDict" else f"{base} & "
                yield _comment(ast.get_docstring(statement)) + _object(
                    f"export type {name} = {parent}", [*_fields(statement.body[1:], total)]
                )
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield _comment(_text(following)) + _union(name, _type(value))


def _union(name: str, type_: str) -> str:
    """A type that is a union, broken into lines as prettier does it."""
    line, below = f"export type {name} = {type_};\n", f"  {type_};\n"
    if len(line) <= WIDTH:
        return line
    if len(below) > WIDTH:
        below = f"  | {type_};\n".replace(" | ", "\n  | ").removeprefix(" \n")
    return f"export type {name} =\n{below}"


def _object(begin: str, fields: list[str]) -> str:
    """A type with fields: on one line where nothing is said of them and they fit."""
    line = f"{begin}{{ {' '.join(field.strip() for field in fields).removesuffix(';')} }};\n"
    if len(line) <= WIDTH and not any("//" in field for field in fields):
        return line
    return f"{begin}{{\n{''.join(fields)}}};\n"


def _fields(body: list[ast.stmt], total: bool) -> Iterator[str]:
    for statement, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation, mark = statement.annotation, "" if total else "?"
            if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "NotRequired":
                annotation, mark = annotation.slice, "?"
            said = _said(_text(following))
            yield f"  {statement.target.id}{mark}: {_type(annotation)};{said and f' // {said}'}\n"


def _type(annotation: ast.expr) -> str:
    """A type of Python in TypeScript."""
    match annotation:
        case ast.BinOp(left=left, right=right):
            return f"{_type(left)} | {_type(right)}"
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return f"({_type(item)})[]" if isinstance(item, ast.BinOp) else f"{_type(item)}[]"
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, value])):
            return f"Record<string, {_type(value)}>"  # keys are strings in JSON
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return f"[{', '.join(map(_type, items))}]"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=values)):
            return " | ".join(map(_value, values))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=value):
            return _value(value)
    name = ast.unparse(annotation)
    return NAMES.get(name, name)


def _value(value: ast.expr) -> str:
    """A literal, which TypeScript writes with double quotes."""
    return NAMES.get(ast.unparse(value), f'"{value.value!s}"') if isinstance(value, ast.Constant) else ast.unparse(value)


def _text(statement: ast.stmt) -> str | None:
    """What a string that follows a field or a union says of it."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return str(ast.literal_eval(statement.value)) if is_text else None  # type: ignore[attr-defined]


def _comment(text: str | None) -> str:
    return f"/** {_said(text)} */\n" if text else ""


def _said(text: str | None) -> str:
    """A text of Python as one line about JavaScript."""
    words = re.sub(r"\b(None|False|True)\b", lambda found: {"None": "null"}.get(found[0], found[0].lower()), text or "")
    return " ".join(words.split())


if __name__ == "__main__":
    for each in WRITTEN:
        path_of(each).write_text(written(each), encoding="utf-8")
