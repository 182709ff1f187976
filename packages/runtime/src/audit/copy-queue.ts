import type { AuditCheckpoint } from "@baton/contract";
import { type CheckpointTarget, copyCheckpoint, describeTarget } from "./checkpoint-copies.ts";

/** The newest checkpoint of each tenant that a target does not have yet. An older one adds nothing to a newer one. */
export class CopyQueue {
  readonly #targets: readonly CheckpointTarget[];
  readonly #waiting: ReadonlyMap<CheckpointTarget, Map<string, AuditCheckpoint>>;
  readonly #closing = new AbortController();

  constructor(targets: readonly CheckpointTarget[]) {
    this.#targets = targets;
    this.#waiting = new Map(targets.map((target) => [target, new Map()]));
  }

  add(checkpoint: AuditCheckpoint): void {
    for (const waiting of this.#waiting.values()) waiting.set(checkpoint.tenantId, checkpoint);
  }

  /** Tries every target, and rejects with the first failure; what was not copied stays. */
  async run(): Promise<void> {
    let failure: Error | undefined;
    for (const target of this.#targets) {
      const waiting = this.#waiting.get(target) ?? new Map<string, AuditCheckpoint>();
      for (const [tenantId, checkpoint] of [...waiting]) {
        try {
          await copyCheckpoint(target, checkpoint, this.#closing.signal);
          if (waiting.get(tenantId) === checkpoint) waiting.delete(tenantId);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          const what = `the checkpoint of "${tenantId}" cannot be copied to ${describeTarget(target)}: ${why}`;
          failure ??= new Error(what, { cause: error });
          break;
        }
      }
    }
    if (failure) throw failure;
  }

  close(): void {
    this.#closing.abort();
  }
}
