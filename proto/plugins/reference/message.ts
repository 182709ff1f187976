import { type DescField, type DescMessage, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { rulesInWords } from "../rule-words.ts";
import { type CelRule, celRulesOfMessage, isRequiredOneof } from "../rules.ts";
import { table } from "./markdown.ts";
import { reservedInMessage } from "./reserved.ts";

export function messageSection(message: DescMessage): string {
  return [
    `### ${message.name}`,
    commentOf(message),
    message.fields.length > 0 ? table(head, message.members.flatMap(memberRows)) : "It has no fields.",
    ...celRulesOfMessage(message).map(celRule),
    reservedInMessage(message),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const head = ["No.", "Field", "Type", "Rules", "Meaning"];

function memberRows(member: DescField | DescOneof): string[][] {
  if (member.kind === "field") return [fieldRow(member, `\`${member.name}\``)];
  const amount = isRequiredOneof(member) ? "exactly one" : "at most one";
  const arms = member.fields.map((arm) => fieldRow(arm, `↳ \`${arm.name}\``));
  return [["", `\`${member.name}\``, "oneof", amount, commentOf(member)], ...arms];
}

function fieldRow(field: DescField, label: string): string[] {
  return [String(field.number), label, typeInWords(field), rulesInWords(field).join("; "), commentOf(field)];
}

function typeInWords(field: DescField): string {
  switch (field.fieldKind) {
    case "list":
      return `repeated ${valueType(field)}`;
    case "map":
      return `map of ${scalarName(field.mapKey)} to ${valueType(field)}`;
    default:
      return field.proto.proto3Optional ? `optional ${valueType(field)}` : valueType(field);
  }
}

/** Types of the contract become links; those of protobuf itself are explained at the top of the page. */
function valueType({ message, enum: names, scalar, parent }: DescField): string {
  const type = message ?? names;
  if (type === undefined) return scalar === undefined ? "" : scalarName(scalar);
  return type.file.proto.package === parent.file.proto.package ? `[${type.name}]` : type.name;
}

function scalarName(scalar: ScalarType): string {
  return ScalarType[scalar].toLowerCase();
}

function celRule({ id, message, expression }: CelRule): string {
  return `Rule \`${id}\`: ${message}.\n\n\`\`\`cel\n${expression}\n\`\`\``;
}
