import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contractRegistry } from "@baton/contract";
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  equals,
  fromBinary,
  getOption,
  hasOption,
  type Registry,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import {
  FieldRulesSchema,
  field as fieldRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buf, buildSpecification, committedImage, repository, specificationText } from "./specification.ts";

const protoFolder = join(repository, "proto/vasini/agent/v1");
const packageRules = JSON.stringify({
  version: "v2",
  modules: [{ path: "proto" }],
  breaking: { use: ["PACKAGE"] },
});

describe("the contract and the specification", () => {
  const scratch = mkdtempSync(join(tmpdir(), "baton-specification-test-"));
  const image = join(scratch, "specification.binpb");
  let specification: Registry;

  beforeAll(() => {
    const bytes = existsSync(specificationText)
      ? buildSpecification(readFileSync(specificationText, "utf8"))
      : readFileSync(committedImage);
    writeFileSync(image, bytes);
    specification = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function specified(): DescMessage[] {
    return [...specification].filter(
      (type): type is DescMessage => type.kind === "message" && type.file.proto.package === "vasini.agent.v1",
    );
  }

  it("[CON-01] is compared with the whole text: 49 messages and 16 enums", () => {
    const enums = [...specification].filter(
      (type) => type.kind === "enum" && type.file.proto.package === "vasini.agent.v1",
    );
    expect(specified().length).toBe(49);
    expect(enums.length).toBe(16);
  });

  it.runIf(existsSync(specificationText))(
    "[CON-01] is compared with the text as it stands (BATON_SPECIFICATION names it)",
    () => {
      expect(Buffer.compare(readFileSync(image), readFileSync(committedImage))).toBe(0);
    },
  );

  it("[CON-01] renames, renumbers, retypes and unreserves nothing", () => {
    expect(buf(["breaking", ".", "--config", packageRules, "--against", image])).toBe("");
  });

  it.each([
    ["renumbered", "string title = 2 ", "string title = 17 "],
    ["renamed", "string owner_domain = 3;", "string domain = 3;"],
    ["retyped", "int32 attempt_number = 3 ", "int64 attempt_number = 3 "],
    ["unreserved", 'reserved "ownership";', ""],
    ["reused", "reserved 9 to 15;", "string extra = 9;\n  reserved 10 to 15;"],
  ])("[CON-02] finds a field that was %s", (_, text, replacement) => {
    const copy = join(scratch, "copy");
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(repository, "proto"), join(copy, "proto"), { recursive: true });
    const file = join(copy, "proto/vasini/agent/v1/task.proto");
    const before = readFileSync(file, "utf8");
    const after = before.replace(text, replacement);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
    expect(() => buf(["breaking", ".", "--config", packageRules, "--against", image], copy)).toThrow(
      /task\.proto:\d+:\d+:/,
    );
  });

  it("[CON-02] adds fields only above the reserved range of their message", () => {
    const misplaced = specified().flatMap((message) => {
      const highest = Math.max(
        ...message.fields.map(({ number }) => number),
        ...message.proto.reservedRange.map(({ end }) => (end ?? 1) - 1),
      );
      const known = new Set(message.fields.map(({ number }) => number));
      return ours(message)
        .fields.filter(({ number }) => !known.has(number) && number <= highest)
        .map(({ number, name }) => `${message.name}.${name} = ${number}, but must be above ${highest}`);
    });
    expect(misplaced).toEqual([]);
  });

  it("[CON-02] names the clause that needs each addition", () => {
    const known = new Set([...specification].map(({ typeName }) => typeName));
    const texts = readdirSync(protoFolder).map((file) => readFileSync(join(protoFolder, file), "utf8"));
    const commented = texts.flatMap((text) => [...text.matchAll(/((?:^\/\/.*\n)+)(message|enum) (\w+)/gm)]);
    const silent = commented.filter(
      ([, comment = "", , name]) =>
        !known.has(`vasini.agent.v1.${name}`) && !/^\/\/ Addition \(.*§/m.test(comment),
    );
    expect(commented.length).toBeGreaterThan(150);
    expect(silent.map(([, , , name]) => name)).toEqual([]);
  });

  it("[CON-03] keeps every validation rule of the specification as it is", () => {
    const ruled = specified().flatMap(({ fields }) => fields.filter((field) => hasOption(field, fieldRules)));
    expect(ruled.length).toBe(40);
    const changed = ruled.filter((field) => !sameRules(field, counterpart(field))).map(String);
    expect(changed).toEqual([]);
  });

  function ours(message: DescMessage): DescMessage {
    const found = contractRegistry.getMessage(message.typeName);
    if (!found) throw new Error(`${message.typeName} is missing`);
    return found;
  }

  function counterpart(field: DescField): DescField {
    const found = ours(field.parent).fields.find(({ number }) => number === field.number);
    if (!found) throw new Error(`${field} is missing`);
    return found;
  }
});

function sameRules(a: DescField, b: DescField): boolean {
  return equals(FieldRulesSchema, getOption(a, fieldRules), getOption(b, fieldRules));
}
