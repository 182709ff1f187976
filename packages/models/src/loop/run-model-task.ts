import { StepOutcomeUnknown, type Task } from "@baton/agent";
import type { AgentResult } from "@baton/contract";
import { validateValue } from "@baton/kernel";
import { describeTask } from "@baton/protocols/answer";
import {
  appendProtocol,
  type ProtocolOptions,
  type ResponseReading,
  readResponse,
  responseStatuses,
  type StatusName,
} from "@baton/protocols/sacp";
import type { ModelReply } from "../calls/reply.ts";
import { ModelFailure } from "../failure.ts";
import type { ToolServer } from "../tools/tool.ts";
import { Conversation, type Exchange } from "./conversation.ts";
import { answerPrompt, correctionPrompt, describeViolations, synthesisPrompt } from "./correction.ts";
import type { ModelPack, ModelParts } from "./model-pack.ts";
import { nativeSchema } from "./native-schema.ts";
import { fallbackResult, plainResult, resultOf } from "./results.ts";
import { NoRoom } from "./room.ts";
import { NeedsApproval } from "./tool-calls.ts";
import { publishTurn } from "./turns.ts";

/**
 * One attempt of a model agent (SACP §3, §7, §8).
 *
 * M1. Phase 1 ends when the model calls no tool. Its answer is the final response if it can be read as one.
 * M2. Otherwise phase 2 asks once for the final response, without tools. An agent without tools has only one phase.
 * M3. Data that breaks its schema goes back to the model, `maxCorrections` times; then the attempt fails.
 * M4. A question of an earlier attempt is followed by the answer to it.
 * M5. An answer that cannot be read is the fallback of SACP §7.2, which is a valid response.
 */
export async function runModelTask(task: Task, pack: ModelPack, parts: ModelParts): Promise<AgentResult> {
  const run = new Run(task, pack, parts);
  const servers = parts.openServers();
  try {
    return await run.result(servers);
  } catch (error) {
    if (error instanceof NeedsApproval) return task.askToApprove(error.proposal);
    if (error instanceof StepOutcomeUnknown) return task.askAbout(error);
    if (error instanceof NoRoom) return run.conversation.room.end(error.worst);
    if (!(error instanceof ModelFailure)) throw error;
    const reason = parts.redact(error.message);
    const { kind: code, retryable } = error;
    return task.failure(reason, { code, retryable, noEvidence: "the model gave no answer" });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

class Run {
  readonly #task: Task;
  readonly #pack: ModelPack;
  readonly #allowed: readonly StatusName[];
  readonly conversation: Conversation;

  constructor(task: Task, pack: ModelPack, parts: ModelParts) {
    this.#task = task;
    this.#pack = pack;
    const may = allowedBy(task);
    this.#allowed = [...responseStatuses, ...(may.allowRetry ? (["retry_with_instruction"] as const) : [])];
    const { outputSchema: dataSchema } = task.envelope;
    const { systemPrompt, usesProtocol } = pack;
    const instructions = usesProtocol ? appendProtocol(systemPrompt, { ...may, dataSchema }) : systemPrompt;
    this.conversation = new Conversation(task, pack, parts, instructions);
  }

  async result(servers: readonly ToolServer[]): Promise<AgentResult> {
    let answers = await this.conversation.begin();
    await this.conversation.loadTools(servers);
    const { hasTools } = this.conversation;
    this.conversation.addMessage(
      describeTask(this.#task.envelope, {
        ...{ inWorkspace: false, answers, withSchema: !this.#pack.usesProtocol },
      }),
    );
    let mayCallTools = hasTools;
    let corrections = 0;
    for (;;) {
      const exchange = await this.conversation.ask({ mayCallTools, ...this.#schemaFor(mayCallTools) });
      const { reply } = exchange;
      if (mayCallTools && reply.toolCalls.length > 0) {
        this.#publish(exchange);
        await this.conversation.runTools(reply.toolCalls);
        continue;
      }
      if (!this.#pack.usesProtocol) {
        this.#publish(exchange);
        return plainResult(this.#task, reply);
      }
      const reading = this.#read(reply);
      const isUnreadable = reading.how === "fallback";
      this.#publish(exchange, reading);
      if (isUnreadable && mayCallTools && reply.end !== "length") {
        this.conversation.addMessage(synthesisPrompt);
        mayCallTools = false;
        continue;
      }
      if (isUnreadable) return fallbackResult(this.#task, reading, reply);
      const { problems = [], response } = reading;
      const answered = this.#task.answers[answers];
      if (response.status === "clarification_needed" && exchange.isReplayed && answered !== undefined) {
        this.conversation.addMessage(answerPrompt(answered.answer));
        answers++;
        mayCallTools = hasTools;
        continue;
      }
      if (problems.length === 0) return resultOf(this.#task, response);
      if (corrections >= this.#pack.maxCorrections) return this.#invalid(reading);
      corrections++;
      this.conversation.addMessage(correctionPrompt(problems, response.data));
      mayCallTools = false;
    }
  }

  /** Providers enforce a schema on every answer, so that tools and a schema exclude each other. */
  #schemaFor(mayCallTools: boolean) {
    const isFinal = this.#pack.usesProtocol && !mayCallTools;
    const { outputSchema, mayComplete } = this.#task.envelope;
    const offered = this.#allowed.filter((status) => status !== "completed" || mayComplete);
    const schema = isFinal ? nativeSchema(outputSchema, offered) : undefined;
    return schema === undefined ? {} : { schema };
  }

  #read({ text }: ModelReply): ResponseReading {
    const { outputSchema: dataSchema } = this.#task.envelope;
    return readResponse(text, {
      allow: this.#allowed,
      ...(dataSchema && { dataSchema, validate: (data) => validateValue(dataSchema, data) }),
    });
  }

  #publish({ reply, isReplayed }: Exchange, reading?: ResponseReading): void {
    if (!isReplayed) publishTurn(this.#task, reply, reading);
  }

  #invalid({ response, problems = [] }: ResponseReading): AgentResult {
    const many = problems.length === 1 ? "1 violation" : `${problems.length} violations`;
    const reason = `the data of the answer does not satisfy its schema: ${many}\n${describeViolations(problems, response.data)}`;
    return this.#task.failure(reason, {
      ...{ code: "OUTPUT_SCHEMA", data: response.data, thought: response.thought },
      noEvidence: "the answer is not valid",
    });
  }
}

/** What the graph lets this agent answer besides. */
function allowedBy({ envelope }: Task): Pick<ProtocolOptions, "allowCompleted" | "allowRetry"> {
  return { allowCompleted: envelope.mayComplete, allowRetry: envelope.mayRetryWithInstruction };
}
