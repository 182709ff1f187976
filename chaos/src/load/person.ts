import { setTimeout as pause } from "node:timers/promises";
import { type Escalation, EscalationKind, type ReviewStageRequestSchema } from "@baton/contract";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Chance } from "../chance.ts";
import type { Figures } from "../figures.ts";
import { limits } from "../limits.ts";
import type { Violations } from "../violations.ts";
import { type Api, untilAnswered } from "./api.ts";
import type { Ledger } from "./ledger.ts";

/** Answers what the hub asks, and looks how the pipelines do. */
export class Person {
  readonly #api: Api;
  readonly #ledger: Ledger;
  /** By pipeline: the attempt that was sent back. A repeated no is about the same one. */
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

  /** Resolves when the chaos is over. */
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
        await this.look();
      } catch (error) {
        if (!signal.aborted) this.#violations.add("whoever lists is answered", String(error));
      }
      await pause(limits.lookMs);
    }
  }

  /** Learns how the open pipelines are. */
  async look(): Promise<void> {
    const open = new Set(this.#ledger.open.map(({ pipelineId }) => pipelineId));
    if (open.size === 0) return;
    const { orchestrator } = this.#api;
    const request = { filter: "ended = true", orderBy: "updated_at desc", pageSize: 1_000 };
    let pageToken = "";
    do {
      const page = await untilAnswered(this.#api, (options) =>
        orchestrator.listPipelines({ ...request, pageToken }, options),
      );
      for (const pipeline of page.pipelines) if (open.has(pipeline.pipelineId)) this.#ledger.show(pipeline);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  async #answer(escalation: Escalation): Promise<void> {
    const { escalationId, kind, snapshot } = escalation;
    const options = snapshot?.options ?? [];
    try {
      if (kind === EscalationKind.REVIEW) await this.#review(escalation);
      else if (kind === EscalationKind.CLARIFICATION) await this.#resolve(escalationId, "blue");
      // Who waits for an agent is served by the next one that comes: to try again at once would only ask again.
      else if (kind === EscalationKind.ROUTING || kind === EscalationKind.ADMISSION) return;
      else await this.#resolve(escalationId, options.find((option) => option !== "abort") ?? "resume");
      this.#figures.answer(EscalationKind[kind] ?? "");
    } catch {
      // It was answered before, and this person did not hear of it.
    }
  }

  async #resolve(escalationId: string, resolution: string): Promise<void> {
    const { orchestrator } = this.#api;
    await this.#say((options) =>
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
    await this.#say((options) =>
      orchestrator.reviewStage({ pipelineId, stageId, dispatchId, reason: "chaos", verdict }, options),
    );
  }

  /** Half of the time several times at once. One of them counts; the others may be refused. */
  async #say(call: Parameters<typeof untilAnswered>[1]): Promise<void> {
    const times = this.#chance.next() < 0.5 ? this.#chance.int(2, limits.repeats) : 1;
    this.#figures.fault("a person's word repeated", times - 1);
    await Promise.any(Array.from({ length: times }, () => untilAnswered(this.#api, call)));
  }
}
