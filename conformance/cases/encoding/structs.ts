/** Structured data: JSON inside a message. Keys are sorted, because some encoders sort them and none may reorder. */
import type { JsonObject } from "@bufbuild/protobuf";
import { type Case, valid } from "../case.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { patch } from "../patch.ts";

const inputs = (name: string, shows: string, data: JsonObject, losses?: Case["losses"]) =>
  valid(
    `struct-${name}`,
    "TaskEnvelope",
    shows,
    patch(minimalEnvelope, { inputs: data }),
    losses ? { losses } : {},
  );

const everyKind: JsonObject = {
  false: false,
  list: [null, true, "text", 1.5, [], {}, [[1], { deep: null }]],
  null: null,
  number: -12.25,
  struct: { empty: {}, inner: { inner: { inner: "deep" } } },
  text: "text",
  true: true,
};

/** Levels of nesting: enough to find a decoder that gives up early, within what Baton accepts. */
const nested = (levels: number): JsonObject => (levels === 0 ? {} : { in: nested(levels - 1) });

export const structCases: readonly Case[] = [
  inputs("every-kind", "Values of every kind, nested in one another.", everyKind),
  inputs("numbers", "Numbers of structured data are doubles, whole or not.", {
    half: 0.5,
    large: 1e21,
    largest: Number.MAX_VALUE,
    one: 1,
    safe: Number.MAX_SAFE_INTEGER,
    small: 1e-7,
    smallest: Number.MIN_VALUE,
    zero: 0,
  }),
  inputs("negative-zero", "Negative zero in structured data.", { zero: -0 }, [
    { language: "typescript", form: "json", reason: "JSON.stringify writes -0 as 0" },
  ]),
  inputs(
    "keys",
    "Any text is a key: the empty one, one with dots, one that is not ASCII, one that JavaScript minds.",
    {
      "": "empty",
      ...(JSON.parse('{"__proto__": "a key like any other"}') as JsonObject),
      "a.b[0]": "not a path",
      constructor: "a key like any other",
      "\u00FCber": "not ASCII",
      "\u{1F680}": "astral",
    },
  ),
  inputs("deep", "Fifteen levels of structured data.", nested(15)),
  inputs(
    "wide",
    "A hundred keys.",
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`key-${String(index).padStart(3, "0")}`, index]),
    ),
  ),
];
