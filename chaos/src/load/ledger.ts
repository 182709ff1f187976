import type { Pipeline } from "@baton/contract";
import { PipelineStatus } from "@baton/contract";
import type { ScenarioName } from "./scenarios.ts";

/** A pipeline that the hub has acknowledged: from then on it must not be lost. */
export interface Acknowledged {
  readonly key: string;
  readonly pipelineId: string;
  readonly scenario: ScenarioName;
  /** The newest that the hub has shown; it never shows an older one again. */
  revision: bigint;
  status: PipelineStatus;
}

const ends = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.ABORTED];

export function hasEnded(status: PipelineStatus): boolean {
  return ends.includes(status);
}

/** What was promised to the load, as it was told. */
export class Ledger {
  readonly #byId = new Map<string, Acknowledged>();
  readonly #onContradiction: (what: string, detail: string) => void;
  /** The sequence of the newest audit entry seen, and its hash. */
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
    if (known) this.show(pipeline);
    return entry;
  }

  /** What the hub has shown it cannot take back. */
  show({ pipelineId, revision, status }: Pipeline): void {
    const known = this.#byId.get(pipelineId);
    if (!known) return;
    if (hasEnded(known.status) && status !== known.status) {
      this.#onContradiction(
        "what has ended stays ended",
        `${pipelineId} was ${PipelineStatus[known.status]} and is ${PipelineStatus[status]}`,
      );
    }
    if (revision < known.revision) return;
    known.revision = revision;
    known.status = status;
  }

  /** The revision that each was shown at, up to now. */
  get revisions(): ReadonlyMap<string, bigint> {
    return new Map(this.all.map(({ pipelineId, revision }) => [pipelineId, revision]));
  }

  /** As `show`, where what is shown was asked for when others were shown already: others are answered meanwhile. */
  showAfter(shown: ReadonlyMap<string, bigint>, pipeline: Pipeline): void {
    const { pipelineId, revision } = pipeline;
    const before = shown.get(pipelineId) ?? 0n;
    if (revision < before) {
      this.#onContradiction(
        "nothing that was shown is lost",
        `${pipelineId} was at revision ${before} and is at ${revision}`,
      );
    }
    this.show(pipeline);
  }
}
