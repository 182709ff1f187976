import { stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { KeyEntry } from "../border/keys.ts";
import { loadKeys } from "./load-keys.ts";
import type { ConfigProblem } from "./problem.ts";

export interface KeepKeys {
  readonly path: string;
  /** Those that are in force. */
  readonly entries: readonly KeyEntry[];
  readonly log: Logger;
  /** Puts others in force. */
  readonly apply: (entries: readonly KeyEntry[], changes: readonly KeyChange[]) => Promise<void>;
  readonly intervalMs?: number;
}

/** What became different, for the tenant that it concerns. */
export interface KeyChange {
  readonly tenant: string;
  readonly text: string;
}

export interface KeptKeys {
  /** What keeps the file, as it is now, from coming into force. */
  problems(): readonly ConfigProblem[];
  stop(): void;
}

const defaultIntervalMs = 500;

/**
 * Brings a changed file of keys into force while the hub runs. A file that is wrong, or gone, changes nothing: the last good one
 * stays in force, and the problem is reported. A file that still changes is read when two looks in a row were the same.
 */
export function keepKeys({ path, log, apply, intervalMs = defaultIntervalMs, ...given }: KeepKeys): KeptKeys {
  let entries = given.entries;
  let problems: readonly ConfigProblem[] = [];
  let seen = "";
  let handled: string | undefined;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const signature = await signatureOf(path);
    const isSettled = signature === seen;
    seen = signature;
    if (!isSettled || signature === handled) return;
    const found: ConfigProblem[] = [];
    const next = loadKeys(path, found);
    if ((await signatureOf(path)) !== signature || isStopped) return; // Written while it was read.
    handled = signature;
    problems = found;
    if (found.length > 0) {
      log.error(
        { problems: found.length },
        "the keys have changed and are wrong; those in force stay in force",
      );
      for (const { message, ...more } of found.slice(0, mostLogged)) log.error(more, message);
      return;
    }
    const changes = describeKeyChanges(entries, next);
    entries = next;
    if (changes.length === 0) return;
    log.info({ changes: changes.map(({ text }) => text) }, "the keys have changed");
    await apply(next, changes);
  };
  const plan = () => {
    timer = setTimeout(() => {
      look()
        .catch((error) => log.error({ err: error }, "the keys could not be looked at"))
        .finally(() => {
          if (!isStopped) plan();
        });
    }, intervalMs).unref();
  };
  plan();
  return {
    problems: () => problems,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const mostLogged = 20;

async function signatureOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "it is not there";
  }
}

function describeKeyChanges(before: readonly KeyEntry[], after: readonly KeyEntry[]): readonly KeyChange[] {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const now = new Map(after.map((entry) => [entry.id, entry]));
  const changes: KeyChange[] = [];
  for (const { id, tenant } of before)
    if (!now.has(id)) changes.push({ tenant, text: `key "${id}" revoked` });
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
