import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { type Path, pathToString } from "@bufbuild/protobuf/reflect";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { createValidator } from "@bufbuild/protovalidate";
import type { RunAgentRequest } from "../../gen/vasini/agent/v1/agent_service_pb.js";
import type { SubmitTaskRequest } from "../../gen/vasini/agent/v1/orchestrator_service_pb.js";
import type { AttachAgentResponse } from "../../gen/vasini/agent/v1/registry_service_pb.js";
import type { TaskEnvelope } from "../../gen/vasini/agent/v1/task_pb.js";
import { keepsRules } from "../rules/keeps-rules.ts";
import { ContractError } from "./contract-error.ts";
import { unrepresentable } from "./unrepresentable.ts";

/** One rule that a message breaks. */
export interface Violation {
  /** Path from the message that was checked, such as `refs[2].digest`; empty for the message itself. */
  readonly field: string;
  /** The rule, such as `string.min_len` or `routing.selected_is_candidate`. */
  readonly rule: string;
  /** What the rule says. */
  readonly message: string;
}

/** When a message is checked. */
export interface Moment {
  readonly nowMs: number;
}

/** Compiles the rules of a message type once, at its first use. */
const validator = createValidator();

/**
 * Checks a message against every rule of the contract.
 *
 * The rules that depend on the clock are checked only when the moment is given: a boundary gives it, a reader of
 * stored messages does not, because what was valid when it was sent stays valid in the record.
 */
export function validate<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  moment?: Moment,
): readonly Violation[] {
  const isGood = keepsRules(schema, message); // Enough for most messages.
  const faults = isGood ? [] : unrepresentable(schema, message);
  if (faults.length > 0) return faults; // The other rules compute with these values.
  const violations = isGood ? [] : brokenRules(schema, message);
  return moment ? [...violations, ...pastDeadlines(message, moment)] : violations;
}

function brokenRules<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Violation[] {
  const result = validator.validate(schema, message);
  if (result.kind === "error") {
    throw result.error; // A rule of ours does not compile: a fault of the contract, not of the message.
  }
  return (result.violations ?? []).map(({ field, ruleId, message: text }) => ({
    field: pathToString(field),
    rule: ruleId,
    message: describeOneof(field) ?? wordings[text] ?? text,
  }));
}

/** A oneof has no name on the wire, so the message lists its fields. */
function describeOneof(path: Path): string | undefined {
  const last = path.at(-1);
  if (last?.kind !== "oneof") return undefined;
  return `is required: set one of ${last.fields.map(({ name }) => name).join(", ")}`;
}

/** Better texts for the most common messages. */
const wordings: Readonly<Record<string, string>> = {
  "must be at least 1 characters": "must not be empty",
  "must contain at least 1 item(s)": "must not be an empty list",
  "value is required": "is required",
};

/** The error for a message that breaks rules. */
export function invalid(schema: DescMessage, violations: readonly Violation[]): ContractError {
  const [first] = violations;
  const more = violations.length - 1;
  const problem = first
    ? `${first.field || "the message"} ${first.message}${more > 0 ? `, and ${more} more` : ""}`
    : "breaks a rule of the contract";
  return new ContractError("BATON-CONTRACT-004", schema.typeName, problem, violations);
}

/** Throws a `ContractError` when the message breaks a rule. */
export function assertValid<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  moment?: Moment,
): void {
  const violations = validate(schema, message, moment);
  if (violations.length > 0) throw invalid(schema, violations);
}

/** The deadlines of messages that start work. Not in CEL, which would use its own clock. */
const deadlines: Record<
  string,
  (message: Message) => readonly [field: string, deadline: Timestamp | undefined]
> = {
  "vasini.agent.v1.TaskEnvelope": (message) => [
    "execution.deadline",
    (message as TaskEnvelope).execution?.deadline,
  ],
  "vasini.agent.v1.RunAgentRequest": (message) => [
    "envelope.execution.deadline",
    (message as RunAgentRequest).envelope?.execution?.deadline,
  ],
  "vasini.agent.v1.AttachAgentResponse": (message) => {
    const { message: arm } = message as AttachAgentResponse;
    return [
      "dispatch.execution.deadline",
      arm.case === "dispatch" ? arm.value.execution?.deadline : undefined,
    ];
  },
  "vasini.agent.v1.SubmitTaskRequest": (message) => ["deadline", (message as SubmitTaskRequest).deadline],
};

function pastDeadlines(message: Message, { nowMs }: Moment): readonly Violation[] {
  const [field, deadline] = deadlines[message.$typeName]?.(message) ?? [];
  if (field === undefined || deadline === undefined || timestampMs(deadline) > nowMs) return [];
  return [{ field, rule: "deadline.after_now", message: "must lie ahead" }];
}
