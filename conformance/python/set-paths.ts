/** What is set in a message, as paths. `set_paths.py` returns the same, and explains the format. */
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

export function setPaths(schema: DescMessage, message: Message): string[] {
  return pathsIn(reflect(schema, message), "");
}

function pathsIn(message: ReflectMessage, prefix: string): string[] {
  const fields = message.fields
    .filter((field) => message.isSet(field))
    .flatMap((field) => pathsOf(message, field, prefix + field.name));
  const arms = message.oneofs.flatMap((oneof) => {
    const chosen = message.oneofCase(oneof);
    return chosen ? [`${prefix}${oneof.name}=${chosen.name}`] : [];
  });
  const unknown = (message.getUnknown() ?? []).map(({ no, wireType }) => `${prefix}?${no}/${wireType}`);
  return [...fields, ...arms, ...unknown];
}

function pathsOf(message: ReflectMessage, field: DescField, path: string): string[] {
  switch (field.fieldKind) {
    case "message":
      return elementPaths(message.get(field), path);
    case "list":
      return [
        path,
        ...[...message.get(field)].flatMap((element, index) => elementPaths(element, `${path}[${index}]`)),
      ];
    case "map":
      return [
        path,
        ...[...message.get(field)].flatMap(([key, value]) =>
          elementPaths(value, `${path}[${JSON.stringify(key)}]`),
        ),
      ];
    default:
      return [path];
  }
}

function elementPaths(value: unknown, path: string): string[] {
  return isReflectMessage(value) ? [path, ...pathsIn(value, `${path}.`)] : [path];
}
