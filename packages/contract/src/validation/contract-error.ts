import { create } from "@bufbuild/protobuf";
import { type ErrorDetail, ErrorDetailSchema } from "../../gen/vasini/agent/v1/error_pb.js";
import type { Violation } from "./validate.ts";

/** Codes of faults of incoming messages. */
export type ContractErrorCode = keyof typeof fixes;

const fixes = {
  /** More bytes, or more elements, than the limits allow. */
  "BATON-CONTRACT-001": "send less at once, or refer to large content by path and digest",
  /** Not a message: truncated, a wrong type, an unknown name, text that is not UTF-8. */
  "BATON-CONTRACT-002": "encode the message with a library generated from the contract's proto files",
  /** Nested deeper than the limits allow. */
  "BATON-CONTRACT-003": "flatten the message: structured data may be nested only so far",
  /** A message that breaks a rule of the contract. */
  "BATON-CONTRACT-004": "change the named fields; docs/reference/contract.md lists every field and rule",
} as const;

/** An error must not grow with its cause. */
const mostViolations = 100;

/** The error of every boundary for a message that it refuses. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly code: ContractErrorCode;
  /** The message type that was expected. */
  readonly typeName: string;
  /** Violations by field, up to a hundred; empty when no field is known. */
  readonly violations: readonly Violation[];
  /** What the sender can do about it. */
  readonly fix: string;

  constructor(
    code: ContractErrorCode,
    typeName: string,
    problem: string,
    violations: readonly Violation[] = [],
    { cause, fix }: { readonly cause?: unknown; readonly fix?: string } = {},
  ) {
    super(problem, { cause });
    this.code = code;
    this.typeName = typeName;
    this.violations = violations.slice(0, mostViolations);
    this.fix = fix ?? (violations.length > 0 ? fixes["BATON-CONTRACT-004"] : fixes[code]);
  }

  /** The full text for people: code, fields and fix. */
  override toString(): string {
    const headline = this.violations.length > 0 ? "cannot be taken" : this.message;
    const places = this.violations.map(
      ({ field, message, rule }) => `\n  at ${field || "the message"}: ${message} (${rule})`,
    );
    return `${this.code}  ${this.typeName}: ${headline}${places.join("")}\n  fix: ${this.fix}`;
  }
}

/** The error in the details of a service's response. */
export function toErrorDetail(error: ContractError): ErrorDetail {
  return create(ErrorDetailSchema, {
    code: error.code,
    message: `${error.typeName}: ${error.message}`,
    fix: error.fix,
    violations: error.violations.map(({ field, rule, message }) => ({ field, rule, message })),
  });
}
