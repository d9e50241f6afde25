"""Makes the classes of `atelier_client.models` from the API's OpenAPI document, with nothing but the standard library."""

import json
import keyword
import pathlib
import re
import textwrap

DOCUMENT = pathlib.Path(__file__).parent / "../../test/gateway/__snapshots__/openapi.json"
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEAD = '''"""Made from the OpenAPI document by make_models.py. Not to be edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired
'''


def make_models() -> str:
    if not DOCUMENT.exists():
        raise RuntimeError(f"{DOCUMENT.resolve()} is missing: install the client from a copy of the whole project")
    schemas = json.loads(DOCUMENT.read_text("utf-8"))["components"]["schemas"]
    # What only wraps another schema is of no use to programs: the client unwraps it.
    named = {name: schema for name, schema in schemas.items() if not re.search(r"(?:Answer|List)$", name)}
    return "\n\n".join([HEAD, *(_named(name, schema) for name, schema in named.items())])


def _named(name: str, schema: dict) -> str:
    if "properties" not in schema:
        return f"{name}: TypeAlias = {_type(schema)!r}\n{_words(schema)}"
    fields = (_field(field, one, field in schema.get("required", [])) for field, one in schema["properties"].items())
    return f"class {name}(TypedDict):\n" + textwrap.indent(_words(schema) + "".join(fields), "    ")


def _field(name: str, schema: dict, required: bool) -> str:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name} cannot be a field of a class")
    kind = _type(schema)
    return f"{name}: {kind if required else f'NotRequired[{kind}]'}\n{_words(schema)}"


def _words(schema: dict) -> str:
    words = schema.get("description", "").replace("\\", "\\\\").replace('"""', '\\"""')
    return f'"""\n{words}\n"""\n' if words else ""


def _type(schema: dict) -> str:
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    for either in ("anyOf", "oneOf"):
        if either in schema:
            return " | ".join(map(_type, schema[either]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"list[{_type(schema['items'])}]"
    if kind == "object":
        return f"dict[{_type(schema.get('propertyNames', {'type': 'string'}))}, {_type(schema.get('additionalProperties') or {})}]"
    return PLAIN.get(kind, "Any")
