import { AuditEntrySchema } from "@baton/contract";
import { create, type DescMessage } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { fieldReader, readersByName } from "./read-fields.ts";

function propertiesOf(schema: DescMessage): string[] {
  const fields = schema.fields.toSorted((one, other) => one.number - other.number);
  const properties = fields.map(({ oneof, localName }) => oneof?.localName ?? localName);
  return [...new Set(properties)].filter((property) => property !== "entryHash");
}

describe("reading fields", () => {
  it.each([...readersByName.keys()].map((schema) => [schema.name, schema] as const))(
    "takes the short way for every field of %s",
    (_, schema) => {
      expect(fieldReader(schema, propertiesOf(schema))).toBe(readersByName.get(schema));
    },
  );

  it("reads what it is asked for where the short way reads something else", () => {
    const entry = create(AuditEntrySchema, { auditId: "a", action: "b", rationale: "c" });
    expect(fieldReader(AuditEntrySchema, ["auditId", "rationale"])(entry)).toEqual(["a", "c"]);
  });
});
