import type { DescEnum } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { table } from "./markdown.ts";
import { reservedInEnum } from "./reserved.ts";

export function enumSection(type: DescEnum): string {
  const rows = type.values.map((value) => [String(value.number), `\`${value.name}\``, commentOf(value)]);
  return [
    `### ${type.name}`,
    `Enum. ${commentOf(type)}`,
    table(["No.", "Value", "Meaning"], rows),
    reservedInEnum(type),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
