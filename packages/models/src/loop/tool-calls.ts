import { hash } from "node:crypto";
import { StepOutcomeUnknown, type Task, type ToolProposal } from "@baton/agent";
import { canonicalJson } from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import type { ModelMessage } from "ai";
import type { ToolCall } from "../calls/reply.ts";
import { limits } from "../limits.ts";
import { whyAsk } from "../tools/ask.ts";
import type { ModelTool, ToolOutput } from "../tools/tool.ts";
import { failedOutput, refusalOf, refuse, runTool, toolText } from "./run-tool.ts";
import type { CallOptions } from "./steps.ts";

/** A call waits for a person: the attempt ends with the question. */
export class NeedsApproval extends Error {
  override readonly name = "NeedsApproval";
  readonly proposal: ToolProposal;
  constructor(proposal: ToolProposal) {
    super(`the call of "${proposal.tool}" needs approval`);
    this.proposal = proposal;
  }
}

interface ToolParts {
  readonly task: Task;
  readonly tools: readonly ModelTool[];
  readonly redact: (text: string) => string;
  readonly step: <Value>(
    name: string,
    args: JsonObject,
    run: () => Promise<Value>,
    options: CallOptions<Value>,
  ) => Promise<Value>;
}

/** What is decided about a call before it is made, and stored. */
type Decision =
  | { readonly kind: "run"; readonly args: JsonObject; readonly edited?: true }
  | { readonly kind: "refused"; readonly output: ToolOutput };

/**
 * The calls of one answer of a model, one after another (SACP §8).
 *
 * T1. Nothing runs before its arguments, the safety context and, where the pack says so, a person allow it.
 * T2. A decision is a step of its own, so that a person is asked once, whatever happens afterwards.
 * T3. Each call has a pair of events, also when it is refused.
 */
export async function runToolCalls(
  parts: ToolParts,
  turn: number,
  calls: readonly ToolCall[],
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  for (const [index, call] of calls.entries()) {
    // Providers may leave ids out, or repeat them.
    const id = `${turn}.${index} ${call.id}`;
    messages.push(resultOf(call, await runOne(parts, call, id), parts.redact));
  }
  return messages;
}

async function runOne({ task, tools, step }: ToolParts, call: ToolCall, id: string): Promise<ToolOutput> {
  const tool = tools.find(({ name }) => name === call.name);
  const given = { id, args: call.args };
  const refusal = refusalOf(tools, call);
  if (tool === undefined || refusal !== undefined)
    return step(
      `tool:${call.name.slice(0, 128).toWellFormed()}`,
      given,
      async () => refuse(task, call, refusal ?? "unknown"),
      {
        idempotent: true,
      },
    );
  const decision: Decision =
    whyAsk(tool, call.args) === undefined
      ? { kind: "run", args: call.args }
      : await step(`approve:${call.name}`, given, async () => decide(task, tool, call, id), {
          idempotent: true,
        });
  if (decision.kind === "refused") return decision.output;
  const { args, edited } = decision;
  const { idempotent, critical } = tool;
  const output = await step(`tool:${call.name}`, { id, args }, () => runTool(task, tool, args), {
    ...{ idempotent, critical },
  }).catch(unknownOutcome);
  if (!edited) return output;
  return { ...output, text: `A person changed the arguments to ${JSON.stringify(args)}.\n${output.text}` };
}

/** Throws `NeedsApproval` while no person has decided. */
function decide(task: Task, tool: ModelTool, call: ToolCall, id: string): Decision {
  const reason = whyAsk(tool, call.args) ?? "";
  const { name, args } = call;
  if (JSON.stringify(args).length > limits.approvalLength)
    return {
      kind: "refused",
      output: refuse(task, call, "the arguments are too long for a person to approve"),
    };
  const callId = hash("sha256", canonicalJson([id, name, args]));
  const decided = task.toolDecision(callId);
  if (decided === undefined) throw new NeedsApproval({ callId, tool: name, args, reason });
  const why = decided.reason === "" ? "" : `: ${decided.reason}`;
  if (decided.verdict === "refused")
    return { kind: "refused", output: refuse(task, call, `a person refused the call${why}`) };
  if (decided.verdict === "approved" || decided.args === undefined) return { kind: "run", args };
  const broken = refusalOf([tool], { ...call, args: decided.args });
  if (broken !== undefined)
    return {
      kind: "refused",
      output: refuse(
        task,
        { name, args: decided.args },
        `the arguments of a person cannot be used: ${broken}`,
      ),
    };
  return { kind: "run", args: decided.args, edited: true };
}

/** A call of a tool that may have taken effect: a person is asked about a critical one, and the others are reported to the model. */
async function unknownOutcome(error: unknown): Promise<ToolOutput> {
  if (!(error instanceof StepOutcomeUnknown)) throw error;
  if (error.critical && error.answer === undefined) throw error;
  const answer = error.answer === undefined ? "" : ` A person says: ${error.answer}`;
  const output = failedOutput(
    `This call began in an earlier attempt, and it is unknown whether it took effect.${answer}`,
  );
  await error.settle(output);
  return output;
}

function resultOf(call: ToolCall, output: ToolOutput, redact: (text: string) => string): ModelMessage {
  const value = redact(toolText(output));
  const type = output.isError ? "error-text" : "text";
  return {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: call.id, toolName: call.name, output: { type, value } }],
  };
}
