"""A peer that knows the contract only through code generated for Python.

Reads one request a line from standard input and answers each with one line on standard output; both are JSON.
What goes wrong with a request is its answer, so that one bad message does not end the conversation.

    python3 -B peer.py FOLDER        FOLDER holds what `protoc --python_out` generated from proto/

    {"id": 1, "op": "read", "type": T, "message": M, "as": "binary" or "json"}
        -> {"id": 1, "message": M, "paths": [path, ...]}
    {"id": 2, "op": "compare", "type": T, "left": M, "right": M}
        -> {"id": 2, "equal": true, "left": [path, ...], "right": [path, ...]}
    anything that fails
        -> {"id": 3, "error": text}

where T is the full name of a message type and M is {"binary": base64} or {"json": text}.
"""

import base64
import importlib
import json
import sys
from pathlib import Path
from typing import Any, TypedDict

from google.protobuf import json_format, symbol_database
from google.protobuf.message import Message

from set_paths import set_paths


class Encoded(TypedDict, total=False):
    """A message in one of its two forms."""

    binary: str
    json: str


def import_generated(folder: Path) -> None:
    """Makes every generated message type known to the symbol database."""
    sys.path.insert(0, str(folder))
    for file in sorted(folder.rglob("*_pb2.py")):
        importlib.import_module(".".join(file.relative_to(folder).with_suffix("").parts))


def decode(type_name: str, encoded: Encoded) -> Message:
    message: Message = symbol_database.Default().GetSymbol(type_name)()
    if "binary" in encoded:
        message.ParseFromString(base64.b64decode(encoded["binary"], validate=True))
    else:
        json_format.Parse(encoded["json"], message)
    return message


# Both forms with sorted keys: otherwise those of structured data come in an order that changes from run to run.


def encode_binary(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def encode_json(message: Message) -> str:
    return json_format.MessageToJson(message, sort_keys=True)


def encode(message: Message, form: str) -> Encoded:
    if form == "json":
        return {"json": encode_json(message)}
    return {"binary": base64.b64encode(encode_binary(message)).decode("ascii")}


def read(request: dict[str, Any]) -> dict[str, Any]:
    message = decode(request["type"], request["message"])
    return {"message": encode(message, request["as"]), "paths": set_paths(message)}


def compare(request: dict[str, Any]) -> dict[str, Any]:
    left = decode(request["type"], request["left"])
    right = decode(request["type"], request["right"])
    # Bytes and not ==, which says that NaN differs from itself, that -0 is 0, and nothing of unknown fields.
    return {"equal": encode_binary(left) == encode_binary(right), "left": set_paths(left), "right": set_paths(right)}


OPERATIONS = {"read": read, "compare": compare}


def answer(line: bytes) -> dict[str, Any]:
    request_id: Any = None
    try:
        request: dict[str, Any] = json.loads(line)
        request_id = request.get("id")
        return {"id": request_id, **OPERATIONS[request["op"]](request)}
    except Exception as error:  # Reported to the caller, who may continue.
        return {"id": request_id, "error": f"{type(error).__name__}: {error}"}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: peer.py FOLDER (what protoc --python_out generated from proto/)")
    import_generated(Path(sys.argv[1]))
    # Bytes, because JSON is UTF-8 whatever the locale says. Answers are ASCII, because some readers take more than
    # the line feed for the end of a line.
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
