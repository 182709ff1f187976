import { contractFiles } from "@baton/contract";
import { type DescMessage, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { celRulesOfMessage } from "./rules.ts";
import { candidatesFor, placesIn, validSample } from "./testing/samples.ts";
import { ajvForContract } from "./testing/schemas.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const messages = contractFiles.flatMap((file) => file.messages);
const celRules = new Set(messages.flatMap(celRulesOfMessage).map(({ id }) => id));
const ajv = ajvForContract();
const validator = createValidator();

function isValidBySchema(message: DescMessage, json: JsonObject): boolean {
  return ajv.validate(`${message.typeName}.schema.json`, json);
}

/** What the contract itself says, apart from the rules that a schema can only describe. */
function isValidByContract(message: DescMessage, json: JsonObject): boolean {
  try {
    const { violations = [] } = validator.validate(message, fromJson(message, json));
    return violations.every(({ ruleId }) => celRules.has(ruleId));
  } catch {
    return false;
  }
}

describe("JSON Schemas and the validator", () => {
  it.each([0, 1, 2, 3, 4, 5, 6])("[CON-07] agree that good messages are good (arm %i)", (choice) => {
    for (const message of messages) {
      const sample = validSample(message, choice);
      expect(isValidByContract(message, sample), message.name).toBe(true);
      expect(isValidBySchema(message, sample), message.name).toBe(true);
    }
  });

  it("[CON-07] agree on what must not be left out", () => {
    for (const message of messages) {
      expect(isValidBySchema(message, {}), message.name).toBe(isValidByContract(message, {}));
    }
  });

  it("[CON-07] agree about good messages of which one field was given any of its candidates", () => {
    for (const message of messages) {
      for (const field of message.fields) {
        for (const value of candidatesFor(field)) {
          const { [field.jsonName]: _, ...others } = validSample(message, 0);
          const changed = value === undefined ? others : { ...others, [field.jsonName]: value };
          const label = `${field.toString()} = ${JSON.stringify(value)?.slice(0, 40)}`;
          expect(isValidBySchema(message, changed), label).toBe(isValidByContract(message, changed));
        }
      }
    }
  });

  it("[CON-07] agree about good messages of which one or two fields were changed at any depth", () => {
    const change = fc.record({ place: fc.nat(), candidate: fc.nat() });
    fc.assert(
      fc.property(
        fc.constantFrom(...messages.filter((message) => message.fields.length > 0)),
        fc.nat(6),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        (message, choice, changes) => {
          const sample = validSample(message, choice);
          const places = placesIn(message, sample);
          for (const { place, candidate } of changes) {
            const { holder, field } = at(places, place);
            const value = at(candidatesFor(field), candidate);
            if (value === undefined) delete holder[field.jsonName];
            else holder[field.jsonName] = value;
          }
          expect(isValidBySchema(message, sample)).toBe(isValidByContract(message, sample));
        },
      ),
      { numRuns },
    );
  });
});

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}
