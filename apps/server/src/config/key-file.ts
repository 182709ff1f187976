import type { Logger } from "pino";
import type { KeyEntry } from "../border/keys.ts";
import { FileWatch } from "../files/file-watch.ts";
import type { ConfigProblem } from "../files/problem.ts";
import { loadKeys } from "./read-keys.ts";

export interface KeyFileOptions {
  readonly path: string;
  /** The keys in force. */
  readonly entries: readonly KeyEntry[];
  readonly log: Logger;
  /** Puts other keys into force. */
  readonly apply: (entries: readonly KeyEntry[], changes: readonly KeyChange[]) => Promise<void>;
}

/** A change, for the tenant it concerns. */
export interface KeyChange {
  readonly tenant: string;
  readonly text: string;
}

export interface KeyFile {
  /** What prevents the current file from coming into force. */
  problems(): readonly ConfigProblem[];
  stop(): void;
}

const maxLogged = 20;

/**
 * Puts a changed key file into force while the hub runs. An invalid or missing file changes nothing: the keys in force
 * stay, and the problems are reported.
 */
export function watchKeyFile({ path, log, apply, ...options }: KeyFileOptions): KeyFile {
  let entries = options.entries;
  let problems: readonly ConfigProblem[] = [];
  const digestOf = (keys: readonly KeyEntry[], found: readonly ConfigProblem[]) =>
    JSON.stringify([keys, found]);
  const watch = new FileWatch({
    paths: async () => [path],
    read: () => {
      const found: ConfigProblem[] = [];
      const keys = loadKeys(path, found);
      return { content: { keys, found }, digest: digestOf(keys, found) };
    },
    digest: digestOf(entries, []),
    apply: async ({ keys, found }) => {
      problems = found;
      if (found.length > 0) {
        log.error(
          { problems: found.length },
          "the changed keys are invalid; the keys in force stay in force",
        );
        for (const { message, ...more } of found.slice(0, maxLogged)) log.error(more, message);
        return;
      }
      const changes = describeKeyChanges(entries, keys);
      entries = keys;
      if (changes.length === 0) return;
      log.info({ changes: changes.map(({ text }) => text) }, "the keys have changed");
      await apply(keys, changes);
    },
    onError: (error) => log.error({ err: error }, "cannot apply the key file"),
  });
  return { problems: () => problems, stop: () => watch.stop() };
}

function describeKeyChanges(before: readonly KeyEntry[], after: readonly KeyEntry[]): readonly KeyChange[] {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const now = new Set(after.map(({ id }) => id));
  const changes = before
    .filter(({ id }) => !now.has(id))
    .map(({ id, tenant }) => ({ tenant, text: `key "${id}" revoked` }));
  for (const entry of after) {
    const { id, tenant, roles } = entry;
    const known = old.get(id);
    if (known === undefined) changes.push({ tenant, text: `key "${id}" added (${roles.join(", ")})` });
    else if (JSON.stringify(known) !== JSON.stringify(entry)) {
      for (const one of new Set([known.tenant, tenant]))
        changes.push({ tenant: one, text: `key "${id}" changed` });
    }
  }
  return changes;
}
