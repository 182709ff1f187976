import type { JsonObject } from "@bufbuild/protobuf";
import type { CelRule } from "../rules.ts";

/** The description for people, with the rules that no keyword of JSON Schema can carry, and those in CEL as data. */
export function annotate(comment: string, rules: readonly string[], cel: readonly CelRule[]): JsonObject {
  const celInWords = cel.map(({ message, expression }) => `${message} (CEL: ${expression})`);
  const sentences = [...rules, ...celInWords].map((rule) => `Rule: ${rule}.`);
  const description = [comment, ...sentences].filter((part) => part !== "").join("\n\n");
  return {
    ...(description !== "" && { description }),
    ...(cel.length > 0 && { "x-cel": cel.map((rule) => ({ ...rule })) }),
  };
}
