import type { Pipeline } from "@baton/contract";
import { PipelineStatus } from "@baton/contract";
import type { ScenarioName } from "./scenarios.ts";

/** An acknowledged pipeline: it must not be lost. */
export interface Acknowledged {
  readonly key: string;
  readonly pipelineId: string;
  readonly scenario: ScenarioName;
  /** The newest revision seen; the hub never returns an older one. */
  revision: bigint;
  status: PipelineStatus;
}

const ends = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.ABORTED];

export function hasEnded(status: PipelineStatus): boolean {
  return ends.includes(status);
}

/** The acknowledgements that clients received. */
export class Ledger {
  readonly #byId = new Map<string, Acknowledged>();
  readonly #onContradiction: (what: string, detail: string) => void;
  /** Sequence and hash of the newest audit entry seen. */
  auditHead: { readonly sequence: bigint; readonly hash: string } | undefined;

  constructor(onContradiction: (what: string, detail: string) => void) {
    this.#onContradiction = onContradiction;
  }

  get all(): readonly Acknowledged[] {
    return [...this.#byId.values()];
  }

  get open(): readonly Acknowledged[] {
    return this.all.filter(({ status }) => !hasEnded(status));
  }

  acknowledge(key: string, scenario: ScenarioName, pipeline: Pipeline): Acknowledged {
    const { pipelineId, revision, status } = pipeline;
    const known = this.#byId.get(pipelineId);
    if (known && known.key !== key)
      this.#onContradiction("a key names one pipeline", `${key} and ${known.key} both name ${pipelineId}`);
    const entry = known ?? { key, pipelineId, scenario, revision, status };
    this.#byId.set(pipelineId, entry);
    if (known) this.note(pipeline);
    return entry;
  }

  /** Notes a state that the hub returned; an end is final. */
  note({ pipelineId, revision, status }: Pipeline): void {
    const known = this.#byId.get(pipelineId);
    if (!known) return;
    if (hasEnded(known.status) && status !== known.status) {
      this.#onContradiction(
        "an ended pipeline stays ended",
        `${pipelineId} was ${PipelineStatus[known.status]} and is ${PipelineStatus[status]}`,
      );
    }
    if (revision < known.revision) return;
    known.revision = revision;
    known.status = status;
  }

  /** The revision of each pipeline so far. */
  get revisions(): ReadonlyMap<string, bigint> {
    return new Map(this.all.map(({ pipelineId, revision }) => [pipelineId, revision]));
  }

  /** Like `note`, for a list requested when the given revisions were known; newer ones may have been seen meanwhile. */
  noteListed(known: ReadonlyMap<string, bigint>, pipeline: Pipeline): void {
    const { pipelineId, revision } = pipeline;
    const before = known.get(pipelineId) ?? 0n;
    if (revision < before) {
      this.#onContradiction(
        "no revision is lost",
        `${pipelineId} was at revision ${before} and is at ${revision}`,
      );
    }
    this.note(pipeline);
  }
}
