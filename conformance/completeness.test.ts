/** The vectors leave nothing out. Every test fails with the list of what is missing. */
import { contractFiles, decodeBinary } from "@baton/contract";
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { describe, expect, it } from "vitest";
import { brokenRule, nameRule } from "./completeness/broken-rules.ts";
import { contractMessages, contractRules, placeOf, rulesOf } from "./completeness/contract-rules.ts";
import { join, type Visited, walk } from "./completeness/walk.ts";
import { invalidVectors, type Vector, validVectors } from "./vectors.ts";

interface Walked {
  readonly vector: Vector;
  readonly visited: readonly Visited[];
}

const walkAll = (vectors: readonly Vector[]): Walked[] =>
  vectors.map((vector) => ({
    vector,
    visited: walk(vector.schema, decodeBinary(vector.schema, vector.binary)),
  }));

const valid = walkAll(validVectors);
const invalid = walkAll(invalidVectors);
const validMessages = valid.flatMap(({ visited }) => visited.map(({ message }) => message));

const fields = contractMessages.flatMap((message) => message.fields);
const enums = contractFiles.flatMap((file) => file.enums);

/** Whether the field of some message in a valid vector is as asked, or rules forbid that and an invalid one says so. */
function isCovered(field: DescField, isAsAsked: (message: ReflectMessage) => boolean): boolean {
  const holds = ({ message }: Visited) =>
    message.desc.typeName === field.parent.typeName && isAsAsked(message);
  return (
    valid.some(({ visited }) => visited.some(holds)) ||
    invalid.some(({ vector, visited }) =>
      visited.some((each) => holds(each) && isBlamed(vector, each.path, field)),
    )
  );
}

/** Whether a violation names the field, or something inside it. */
function isBlamed({ violations = [] }: Vector, path: string, field: DescField): boolean {
  const at = join(path, field.name);
  return violations.some((each) => each.field === at || each.field.startsWith(`${at}.`));
}

function isEmpty(message: ReflectMessage): boolean {
  return message.fields.every((field) => !message.isSet(field));
}

const missing = <T>(
  all: readonly T[],
  isCovered: (each: T) => boolean,
  name: (each: T) => string,
): string[] => all.filter((each) => !isCovered(each)).map(name);

describe("every part of the contract is in a valid vector", () => {
  it("[CON-09] every message that travels has a vector of its own", () => {
    const inside = new Set(fields.flatMap((field) => field.message?.typeName ?? []));
    const roots = contractMessages.filter(({ typeName }) => !inside.has(typeName));
    const ofServices = contractFiles
      .flatMap((file) => file.services)
      .flatMap((service) => service.methods)
      .flatMap(({ input, output }) => [input, output]);
    const named = [
      "TaskEnvelope",
      "AgentResult",
      "Pipeline",
      "AuditEntry",
      "AuditCheckpoint",
      "AgentManifest",
    ]
      .concat(["AgentHeartbeat", "TurnEnvelope", "Event", "ErrorDetail"])
      .map((name) => contractMessages.find((message) => message.name === name))
      .filter((message) => message !== undefined);
    const types = new Set(validVectors.map(({ type }) => type));

    const travels: readonly DescMessage[] = [...new Set([...roots, ...ofServices, ...named])];
    expect(
      missing(
        travels,
        ({ typeName }) => types.has(typeName),
        ({ name }) => name,
      ),
    ).toEqual([]);
    expect(named).toHaveLength(10);
  });

  it("[CON-09] every message is inside one", () => {
    const seen = new Set(validMessages.map(({ desc }) => desc.typeName));

    expect(
      missing(
        contractMessages,
        ({ typeName }) => seen.has(typeName),
        ({ name }) => name,
      ),
    ).toEqual([]);
  });

  it("[CON-09] every field is set in one", () => {
    const seen = new Set(
      validMessages.flatMap((message) => message.fields.filter((field) => message.isSet(field)).map(placeOf)),
    );

    expect(missing(fields, (field) => seen.has(placeOf(field)), placeOf)).toEqual([]);
  });

  it("[CON-09] every value of every enum is in one, unless a rule forbids it everywhere", () => {
    const seen = new Set<string>();
    for (const message of validMessages) {
      for (const field of message.fields) {
        if (field.fieldKind === "enum") seen.add(`${field.enum.typeName} ${message.get(field)}`);
      }
    }
    const values = enums.flatMap((each) => each.values);

    expect(
      missing(
        values,
        ({ parent, number }) =>
          seen.has(`${parent.typeName} ${number}`) || isForbiddenEverywhere(parent, number),
        ({ name }) => name,
      ),
    ).toEqual([]);
  });

  /** The only value that rules of the contract forbid is the one that says nothing. */
  function isForbiddenEverywhere(each: DescEnum, number: number): boolean {
    const uses = fields.filter((field) => field.enum?.typeName === each.typeName);
    return number === 0 && uses.every((field) => rulesOf(field).some(({ rule }) => rule === "enum.not_in"));
  }
});

describe("presence", () => {
  const optional = fields.filter((field) => field.proto.proto3Optional);
  const messageFields = fields.filter((field) => field.fieldKind === "message");
  const oneofs = contractMessages.flatMap((message) => message.oneofs);

  it("[CON-09] every optional field is there with its default value", () => {
    const hasDefault = (field: DescField) => (message: ReflectMessage) => {
      const value: unknown = message.get(field);
      const isDefault =
        value instanceof Uint8Array ? value.length === 0 : value === "" || Number(value) === 0;
      return message.isSet(field) && isDefault;
    };

    expect(optional.length).toBeGreaterThan(0);
    expect(missing(optional, (field) => isCovered(field, hasDefault(field)), placeOf)).toEqual([]);
  });

  it("[CON-09] every optional field is absent", () => {
    const isAbsent = (field: DescField) => (message: ReflectMessage) => !message.isSet(field);

    expect(missing(optional, (field) => isCovered(field, isAbsent(field)), placeOf)).toEqual([]);
  });

  it("[CON-09] every sub-message is absent", () => {
    const isAbsent = (field: DescField) => (message: ReflectMessage) => !message.isSet(field);

    expect(missing(messageFields, (field) => isCovered(field, isAbsent(field)), placeOf)).toEqual([]);
  });

  it("[CON-09] every sub-message is there but empty", () => {
    const isHollow = (field: DescField) => (message: ReflectMessage) =>
      field.fieldKind === "message" && message.isSet(field) && isEmpty(message.get(field));

    expect(missing(messageFields, (field) => isCovered(field, isHollow(field)), placeOf)).toEqual([]);
  });

  it("[CON-09] every oneof has each of its arms, and none", () => {
    const arms = oneofs.flatMap((oneof) => oneof.fields);
    const isChosen = (field: DescField) => (message: ReflectMessage) => message.isSet(field);
    expect(missing(arms, (field) => isCovered(field, isChosen(field)), placeOf)).toEqual([]);

    const withoutArm = oneofs.filter((oneof) => {
      const holds = ({ message }: Visited) =>
        message.desc.typeName === oneof.parent.typeName && message.oneofCase(oneof) === undefined;
      const isRequired = contractRules.some(({ on, rule }) => on === placeOf(oneof) && rule === "required");
      return (isRequired ? invalid : valid).some(({ visited }) => visited.some(holds));
    });
    expect(missing(oneofs, (oneof) => withoutArm.includes(oneof), placeOf)).toEqual([]);
  });
});

describe("rules", () => {
  it("[CON-03] [CON-04] every rule of the contract is broken, on its own, by a vector that names it", () => {
    const broken = new Set(
      invalid.flatMap(({ vector, visited }) => {
        const [violation, ...others] = vector.violations ?? [];
        // What no JSON can say breaks a rule of protobuf, not of the contract.
        if (vector.isBinaryOnly || violation === undefined || others.length > 0) return [];
        return [brokenRule(vector, violation, visited)];
      }),
    );

    expect(contractRules.length).toBeGreaterThan(200);
    expect(missing(contractRules, (rule) => broken.has(nameRule(rule)), nameRule)).toEqual([]);
  });

  it("[CON-04] every message with a deadline is refused once it has passed", () => {
    const starters = ["TaskEnvelope", "RunAgentRequest", "AttachAgentResponse", "SubmitTaskRequest"];
    const refused = new Set(
      invalidVectors
        .filter(({ violations = [] }) => violations.some(({ rule }) => rule === "deadline.after_now"))
        .map(({ schema }) => schema.name),
    );

    expect(missing(starters, (name) => refused.has(name), String)).toEqual([]);
  });

  it("[CON-03] every longest length is reached by a valid vector and passed by one in an invalid one", () => {
    const limits = contractRules.filter(({ rule }) => /\.max_(len|items)$/.test(rule));
    const hasSize = (on: string, size: number | undefined) => (walked: Walked) =>
      walked.visited.some(({ message }) =>
        message.fields.some((field) => placeOf(field) === on && sizeOf(message, field) === size),
      );
    const over = (bound: number | undefined) => (bound ?? Number.NaN) + 1;

    expect(limits.length).toBeGreaterThan(0);
    expect(missing(limits, ({ on, bound }) => valid.some(hasSize(on, bound)), nameRule)).toEqual([]);
    expect(missing(limits, ({ on, bound }) => invalid.some(hasSize(on, over(bound))), nameRule)).toEqual([]);
  });

  /** Of a text its code points, of a list its elements. */
  function sizeOf(message: ReflectMessage, field: DescField): number | undefined {
    if (field.fieldKind === "list") return message.get(field).size;
    const value: unknown = message.get(field);
    return typeof value === "string" ? [...value].length : undefined;
  }
});
