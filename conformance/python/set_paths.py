"""The paths of all set fields of a message. `set-paths.ts` does the same independently; they share only the format.

    contract                          a field that is set
    refs[0]                           an element of a list
    inputs.fields["key"]              an entry of a map
    evidence.evidence_payload=items   the arm of a oneof that is chosen
    contract.?1000/2                  an unknown field: its number and its wire type
"""

import json
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor, OneofDescriptor
from google.protobuf.message import Message


def set_paths(message: Message) -> list[str]:
    return list(paths_in(message, ""))


def paths_in(message: Message, prefix: str) -> Iterator[str]:
    listed = {field.name for field, _ in message.ListFields()}
    for field in message.DESCRIPTOR.fields:
        if field.has_presence and message.HasField(field.name) != (field.name in listed):
            raise AssertionError(f"HasField and ListFields disagree on {prefix}{field.name}")
        if field.name in listed:
            yield from paths_of(field, getattr(message, field.name), prefix + field.name)
    for oneof in message.DESCRIPTOR.oneofs:
        chosen = message.WhichOneof(oneof.name)
        if chosen is not None and not is_synthetic(oneof):
            yield f"{prefix}{oneof.name}={chosen}"
    for unknown in message.UnknownFields():
        yield f"{prefix}?{unknown.field_number}/{unknown.wire_type}"


def paths_of(field: FieldDescriptor, value: Any, path: str) -> Iterator[str]:
    yield path
    if is_map(field):
        for key in value:
            yield from element_paths(field.message_type.fields_by_name["value"], value[key], f"{path}[{quote(key)}]")
    elif field.label == FieldDescriptor.LABEL_REPEATED:
        for index, element in enumerate(value):
            yield from element_paths(field, element, f"{path}[{index}]")
    elif field.message_type is not None:
        yield from paths_in(value, f"{path}.")


def element_paths(field: FieldDescriptor, value: Any, path: str) -> Iterator[str]:
    yield path
    if field.message_type is not None:
        yield from paths_in(value, f"{path}.")


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def is_synthetic(oneof: OneofDescriptor) -> bool:
    """The compiler puts every `optional` field into a oneof of its own, which nobody wrote."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def quote(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)
