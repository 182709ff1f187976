/** ErrorDetail: what every error of the services carries. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, valid } from "../case.ts";

export const minimalError: JsonObject = { code: "BATON-CONTRACT-004" };

export const fullError: JsonObject = {
  code: "BATON-CONTRACT-004",
  message: "TaskEnvelope: contract.title must be at least 1 characters",
  fix: "change the named fields",
  violations: [{ field: "contract.title", rule: "string.min_len", message: "must be at least 1 characters" }],
  retryAfter: "2.500s",
};

export const errorCases: readonly Case[] = [
  valid(
    "error-detail-minimal",
    "ErrorDetail",
    "An error with nothing but its code; trying again is no use.",
    minimalError,
  ),
  valid("error-detail-full", "ErrorDetail", "An error in which every field is set.", fullError),
  valid("error-detail-retry-at-once", "ErrorDetail", "Zero is a wait: try again at once.", {
    ...minimalError,
    retryAfter: "0s",
  }),
  ...breaks("ErrorDetail", fullError, [
    ["code", "", "string.min_len", "An error without a code cannot be looked up."],
    ["violations[0].rule", "", "string.min_len", "A violation of no rule."],
    ["retry_after", "-0.000000001s", "duration.gte", "A wait of less than no time."],
  ]),
];
