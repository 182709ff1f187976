import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import {
  createFileRegistry,
  type DescExtension,
  type DescField,
  type DescMessage,
  fromBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate as published } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Our copy of the vocabulary, as buf compiles it. */
function buildOurs() {
  const args = ["build", "proto", "--path", "proto/buf/validate", "--as-file-descriptor-set", "-o", "-"];
  const image = execFileSync(resolve(root, "node_modules/.bin/buf"), args, { cwd: root });
  const file = createFileRegistry(fromBinary(FileDescriptorSetSchema, image)).getFile(
    "buf/validate/validate.proto",
  );
  if (file === undefined) throw new Error("buf built no buf/validate/validate.proto");
  return file;
}

/** Everything that decides what a field looks like on the wire, and what it means. */
function shape(field: DescField | DescExtension) {
  const { number, type, typeName, label } = field.proto;
  return { name: field.name, number, type, typeName, label, oneof: field.oneof?.name };
}

const ours = buildOurs();

describe("our copy of the rule vocabulary", () => {
  it("[CON-03] extends the same options under the same numbers", () => {
    const extensions = (file: typeof ours) =>
      file.extensions.map((extension) => ({ ...shape(extension), extendee: extension.extendee.typeName }));
    expect(extensions(ours).length).toBeGreaterThan(0);
    for (const extension of extensions(ours)) expect(extensions(published)).toContainEqual(extension);
  });

  it.each(ours.messages)("[CON-03] has $name as it is published", (message: DescMessage) => {
    const original = published.messages.find(({ typeName }) => typeName === message.typeName);
    expect(original).toBeDefined();
    const originalFields = original?.fields.map(shape) ?? [];
    for (const field of message.fields) expect(originalFields).toContainEqual(shape(field));
  });

  it("[CON-03] has no enums or nested types, which this comparison would miss", () => {
    expect(ours.enums).toEqual([]);
    expect(
      ours.messages.flatMap(({ nestedMessages, nestedEnums }) => [...nestedMessages, ...nestedEnums]),
    ).toEqual([]);
  });
});
