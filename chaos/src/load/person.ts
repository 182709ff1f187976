import { setTimeout as pause } from "node:timers/promises";
import { type Escalation, EscalationKind, type ReviewStageRequestSchema } from "@baton/contract";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Chance } from "../chance.ts";
import type { Figures } from "../figures.ts";
import { limits } from "../limits.ts";
import type { Violations } from "../violations.ts";
import { type Api, untilAnswered } from "./api.ts";
import type { Ledger } from "./ledger.ts";

/** Answers escalations, and reads the states of pipelines. */
export class Person {
  readonly #api: Api;
  readonly #ledger: Ledger;
  /** By pipeline: the rejected attempt. A repeated rejection refers to the same one. */
  readonly #rejected = new Map<string, string>();
  readonly #chance: Chance;
  readonly #figures: Figures;
  readonly #violations: Violations;
  readonly #going: Promise<void>;

  constructor(
    api: Api,
    ledger: Ledger,
    parts: { readonly chance: Chance; readonly figures: Figures; readonly violations: Violations },
  ) {
    this.#api = api;
    this.#ledger = ledger;
    this.#chance = parts.chance;
    this.#figures = parts.figures;
    this.#violations = parts.violations;
    this.#going = this.#work();
  }

  /** Resolves at the end of the run. */
  get gone(): Promise<void> {
    return this.#going;
  }

  async #work(): Promise<void> {
    const { orchestrator, signal } = this.#api;
    while (!signal.aborted) {
      try {
        const { escalations } = await untilAnswered(this.#api, (options) =>
          orchestrator.listEscalations({ filter: "resolved = false", pageSize: 200 }, options),
        );
        for (const escalation of escalations) await this.#answer(escalation);
        await this.readStates();
      } catch (error) {
        if (!signal.aborted) this.#violations.add("a list is answered", String(error));
      }
      await pause(limits.pollMs);
    }
  }

  /** Reads the states of open pipelines. */
  async readStates(): Promise<void> {
    const open = new Set(this.#ledger.open.map(({ pipelineId }) => pipelineId));
    if (open.size === 0) return;
    const { orchestrator } = this.#api;
    const request = { filter: "ended = true", orderBy: "updated_at desc", pageSize: 1_000 };
    let pageToken = "";
    do {
      const page = await untilAnswered(this.#api, (options) =>
        orchestrator.listPipelines({ ...request, pageToken }, options),
      );
      for (const pipeline of page.pipelines) if (open.has(pipeline.pipelineId)) this.#ledger.note(pipeline);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  async #answer(escalation: Escalation): Promise<void> {
    const { escalationId, kind, snapshot } = escalation;
    const options = snapshot?.options ?? [];
    try {
      if (kind === EscalationKind.REVIEW) await this.#review(escalation);
      else if (kind === EscalationKind.CLARIFICATION) await this.#resolve(escalationId, "blue");
      // The next agent that connects ends the wait; retrying now would only repeat the question.
      else if (kind === EscalationKind.ROUTING || kind === EscalationKind.ADMISSION) return;
      else await this.#resolve(escalationId, options.find((option) => option !== "abort") ?? "resume");
      this.#figures.answer(EscalationKind[kind] ?? "");
    } catch {
      // Answered before, and the acknowledgement was lost.
    }
  }

  async #resolve(escalationId: string, resolution: string): Promise<void> {
    const { orchestrator } = this.#api;
    await this.#send((options) =>
      orchestrator.resolveEscalation({ escalationId, resolution, reason: "chaos" }, options),
    );
  }

  async #review({ pipelineId, stageId, dispatchId }: Escalation): Promise<void> {
    const { orchestrator } = this.#api;
    const rejected = this.#rejected.get(pipelineId);
    const isFirst = rejected === undefined || rejected === dispatchId;
    if (isFirst) this.#rejected.set(pipelineId, dispatchId);
    const verdict: MessageInitShape<typeof ReviewStageRequestSchema>["verdict"] = isFirst
      ? { case: "rejection", value: { rewindTargetStage: "work", instructions: ["again"] } }
      : { case: "approval", value: {} };
    await this.#send((options) =>
      orchestrator.reviewStage({ pipelineId, stageId, dispatchId, reason: "chaos", verdict }, options),
    );
  }

  /** Half of the time several calls at once. One of them counts; the others may be refused. */
  async #send(call: Parameters<typeof untilAnswered>[1]): Promise<void> {
    const times = this.#chance.next() < 0.5 ? this.#chance.int(2, limits.repeats) : 1;
    this.#figures.fault("a reply of a person repeated", times - 1);
    await Promise.any(Array.from({ length: times }, () => untilAnswered(this.#api, call)));
  }
}
