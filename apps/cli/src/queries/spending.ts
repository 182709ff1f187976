import { AuditEventType, type Pipeline, type Usage, UsageSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { limits } from "../limits.ts";
import { listEntriesIfAllowed } from "./list-entries.ts";

interface Spent {
  /** The run's revision when its record was last read. */
  readonly revision: bigint;
  readonly lastSequence: bigint;
  readonly usage: Usage;
}

/** The usage of runs, from the results in the audit record. Reads only new entries. */
export class Spending {
  readonly #hub: Hub;
  readonly #spent = new Map<string, Spent>();
  #isReadable = true;

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** By run id; without runs of which nothing is known. */
  async of(pipelines: readonly Pipeline[], signal: AbortSignal): Promise<ReadonlyMap<string, Usage>> {
    for (const pipeline of pipelines) if (this.#isReadable) await this.#read(pipeline, signal);
    return new Map([...this.#spent].map(([pipelineId, { usage }]) => [pipelineId, usage]));
  }

  async #read({ pipelineId, revision }: Pipeline, signal: AbortSignal): Promise<void> {
    const known = this.#spent.get(pipelineId);
    if (known?.revision === revision) return;
    const lastSequence = known?.lastSequence ?? 0n;
    const type = AuditEventType[AuditEventType.RESULT_RECEIVED];
    const filter = all(
      `pipeline_id = ${quote(pipelineId)}`,
      `event_type = AUDIT_EVENT_TYPE_${type}`,
      `sequence > ${lastSequence}`,
    );
    const entries = await listEntriesIfAllowed(this.#hub, filter, signal);
    // The key may not read the audit record.
    if (entries === undefined) {
      this.#isReadable = false;
      return;
    }
    const usage = known?.usage ?? create(UsageSchema);
    for (const { snapshot } of entries) {
      const payload = snapshot?.snapshotPayload;
      if (payload?.case === "result" && payload.value.usage) addUsage(usage, payload.value.usage);
    }
    if (this.#spent.size >= limits.listRows) this.#spent.clear();
    this.#spent.set(pipelineId, {
      revision,
      lastSequence: entries.at(-1)?.sequence ?? lastSequence,
      usage,
    });
  }
}

export function addUsage(sum: Usage, more: Usage): void {
  sum.inputTokens += more.inputTokens;
  sum.outputTokens += more.outputTokens;
  sum.costMicroUsd += more.costMicroUsd;
  sum.steps += more.steps;
  sum.costUnknown ||= more.costUnknown;
}
