/**
 * Writes the golden vectors: `node conformance/write-vectors.ts [root]`, where root is the folder below which
 * `conformance/vectors` is written. The same cases always give the same bytes.
 *
 * It encodes with the protobuf library itself, not with the codec of @baton/contract: the vectors judge that codec.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { contractRegistry } from "@baton/contract";
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Case } from "./cases/case.ts";
import { allCases } from "./cases/index.ts";
import type { Manifest, ManifestEntry } from "./vectors.ts";

const contractPackage = "vasini.agent.v1";

export function writeVectors(root: string): void {
  const folder = join(root, "conformance", "vectors");
  rmSync(folder, { recursive: true, force: true });
  refuseDuplicates(allCases);

  const cases = [...allCases].sort((a, b) => (a.name < b.name ? -1 : 1));
  const valid = cases.filter((each) => each.violations.length === 0);
  const invalid = cases.filter((each) => each.violations.length > 0);
  for (const [group, members] of Object.entries({ valid, invalid })) {
    mkdirSync(join(folder, group), { recursive: true });
    for (const each of members) writeCase(join(folder, group, each.name), each);
  }
  const manifest: Manifest = { valid: valid.map(describe), invalid: invalid.map(describe) };
  writeFileSync(join(folder, "manifest.json"), jsonText(manifest as unknown as JsonValue));
}

function writeCase(path: string, each: Case): void {
  const schema = schemaOf(each);
  const message = fromJson(schema, each.json);
  // Written back by the library: field names, numbers and times get their canonical spelling.
  if (!each.isBinaryOnly) writeFileSync(`${path}.json`, jsonText(toJson(schema, message)));

  addUnknownFields(schema, message, each);
  const binary = each.wire ? assemble(schema, each.wire) : toBinary(schema, message);
  writeFileSync(`${path}.binpb`, binary);
}

function describe(each: Case): ManifestEntry {
  const { name, type, shows, violations, nowMs, isCanonical, isBinaryOnly, losses } = each;
  return {
    name,
    type: `${contractPackage}.${type}`,
    shows,
    ...(violations.length > 0 && { violations }),
    ...(nowMs !== undefined && { nowMs }),
    ...((each.unknownFields || each.hasUnknownFields) && { hasUnknownFields: true as const }),
    ...(isCanonical === false && { isCanonical }),
    ...(isBinaryOnly && { isBinaryOnly }),
    ...(losses && { losses }),
  };
}

function schemaOf({ name, type }: Case): DescMessage {
  const schema = contractRegistry.getMessage(`${contractPackage}.${type}`);
  if (schema === undefined)
    throw new Error(`case "${name}" is of type ${type}, which the contract does not have`);
  return schema;
}

function addUnknownFields(schema: DescMessage, message: Message, { unknownFields = {} }: Case): void {
  for (const [path, fields] of Object.entries(unknownFields)) {
    find(reflect(schema, message), path).setUnknown([...fields]);
  }
}

/** The sub-message at a path such as `contract` or `refs[0]`; the message itself at the empty path. */
function find(message: ReflectMessage, path: string): ReflectMessage {
  if (path === "") return message;
  return path.split(".").reduce((parent, step) => {
    const [, name, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const field = parent.fields.find((each) => each.name === name);
    const found =
      field?.fieldKind === "list" ? parent.get(field).get(Number(index)) : field && parent.get(field);
    if (!isReflectMessage(found)) throw new Error(`${message.desc.name} has no message at ${path}`);
    return found;
  }, message);
}

/** Concatenating encoded messages merges them: that is how protobuf is defined. */
function assemble(schema: DescMessage, pieces: readonly (JsonObject | Uint8Array)[]): Uint8Array {
  const encode = (json: JsonObject) => toBinary(schema, fromJson(schema, json));
  return Buffer.concat(pieces.map((piece) => (piece instanceof Uint8Array ? piece : encode(piece))));
}

/** JSON has a negative zero, but JSON.stringify does not write it. */
function jsonText(value: JsonValue): string {
  const negativeZero = "\u0000-0\u0000";
  const keepSign = (_: string, member: unknown) => (Object.is(member, -0) ? negativeZero : member);
  return `${JSON.stringify(value, keepSign, 2).replaceAll(JSON.stringify(negativeZero), "-0.0")}\n`;
}

function refuseDuplicates(cases: readonly Case[]): void {
  const names = cases.map((each) => each.name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`more than one case is named ${[...new Set(twice)].join(", ")}`);
}

if (import.meta.main) {
  writeVectors(resolve(process.argv[2] ?? join(import.meta.dirname, "..")));
}
