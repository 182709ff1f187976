import type { DescEnum, DescFile, DescMessage, DescService } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { enumSection } from "./enum.ts";
import { headingAnchor, wrap } from "./markdown.ts";
import { messageSection } from "./message.ts";
import { serviceSection } from "./service.ts";
import { lineOf } from "./source-line.ts";

type Type = DescService | DescMessage | DescEnum;

/** The whole page: what it is, how to read it, the contents, then a chapter per proto file. */
export function referencePage(files: readonly DescFile[]): string {
  const types = files.flatMap(typesIn);
  return [
    "# The contract, message by message",
    "Generated from `proto/vasini/agent/v1` by `npm run generate`; it is not edited by hand.",
    howToRead,
    "## Contents",
    files.map(contentsOf).join("\n"),
    ...files.flatMap((file) => [`## ${chapterTitle(file)}`, ...typesIn(file).map(section)]),
    // Link targets come last, so that a type reads as [Ref] in the tables, also where the page is read as text.
    types.map((type) => `[${type.name}]: #${headingAnchor(type.name)}`).join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

const howToRead = `How to read it:

- A field that is left out has its default: empty text, zero, false, an empty list. Rules hold for the default too,
  so a text that must not be empty cannot be left out. Only an \`optional\` field, a field of a \`oneof\` and a field
  that holds a message can be absent, and are checked when they are there; \`required\` says that one must be.
- At most one field of a \`oneof\` is set. Its fields follow it in the table, marked with ↳.
- In JSON, names are in lowerCamelCase (\`task_id\` is \`taskId\`), enum values are written by name, \`int64\` as text,
  \`bytes\` in base64, a \`Timestamp\` like \`"2026-01-31T12:00:00Z"\`, a \`Duration\` like \`"1.5s"\`, a \`Struct\` as any
  object. The JSON Schemas in \`packages/contract/schemas\` say the same to programs.
- Reserved numbers and names are never used for anything else.`;

function contentsOf(file: DescFile): string {
  const links = typesIn(file).map((type) => `[${type.name}]`);
  return wrap(`- **[${chapterTitle(file)}](#${headingAnchor(chapterTitle(file))})**: ${links.join(", ")}`);
}

function chapterTitle(file: DescFile): string {
  return `${file.name.split("/").at(-1)}.proto`;
}

/** In the order of the source, where an enum stands beside its message; descriptors list the two apart. */
function typesIn(file: DescFile): Type[] {
  const types = [...nestedTypes(file)].filter((type) => type.kind !== "extension");
  return types.toSorted((a, b) => lineOf(a) - lineOf(b));
}

function section(type: Type): string {
  switch (type.kind) {
    case "service":
      return serviceSection(type);
    case "message":
      return messageSection(type);
    case "enum":
      return enumSection(type);
  }
}
