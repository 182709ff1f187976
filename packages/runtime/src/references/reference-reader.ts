import { type Ref, RefType } from "@baton/contract";
import type { RefreshOutcome } from "@baton/kernel";
import type { AllowedWorkspaces } from "../evidence/allowed-workspaces.ts";
import { Turns } from "../evidence/turns.ts";
import type { ReferenceReader, RefreshJob } from "../ports/outside.ts";
import { defaultReferenceLimits, type ReferenceLimits } from "./limits.ts";
import { type RecordCommands, recordReader } from "./read-record.ts";
import type { ReadRef } from "./read-ref.ts";
import { artifactReader, commitReader, fileReader } from "./read-stored.ts";
import { reasonOf, Unreadable } from "./unreadable.ts";
import { type UrlReaderOptions, urlReader } from "./url/read-url.ts";

export interface ReferenceReaderOptions extends UrlReaderOptions {
  /** Folders below which files and repositories are read. Any unless told. */
  readonly folders?: AllowedWorkspaces;
  /** How records of databases are read; none are unless told. */
  readonly records?: RecordCommands;
  readonly limits?: Partial<ReferenceLimits>;
}

/**
 * Reads references: files, commits, documents on the web, artifacts, records. What they hold stays here; only its digest,
 * version and time go on. Whatever happens to one of them is a failed reading of that one.
 */
export function referenceReader(options: ReferenceReaderOptions = {}): ReferenceReader {
  const limits = { ...defaultReferenceLimits, ...options.limits };
  const { folders = "any", records = new Map() } = options;
  const file = fileReader(folders, limits);
  const url = urlReader(options, limits);
  const readers: Readonly<Record<RefType, ReadRef>> = {
    [RefType.UNSPECIFIED]: (ref, from) => (isUrl(ref) ? url(ref, from) : file(ref, from)),
    [RefType.FILE]: file,
    [RefType.COMMIT]: commitReader(folders, limits),
    [RefType.DB_RECORD]: recordReader(records, limits),
    [RefType.URL]: url,
    [RefType.ARTIFACT]: artifactReader(folders, limits),
  };
  const turns = new Map<string, Turns>();
  const turnsOf = (tenantId: string) => {
    const own = turns.get(tenantId) ?? new Turns(limits.atOnce);
    turns.set(tenantId, own);
    return own;
  };
  return {
    read: async (job, signal) => {
      const endsAtMs = performance.now() + limits.totalMs;
      const own = turnsOf(job.tenantId);
      const read = (ref: Ref) => readOne(ref, job, readers[ref.refType], { ...limits, endsAtMs }, signal);
      const outcomes = await Promise.all(job.refs.map((ref) => own.take(() => read(ref))));
      signal.throwIfAborted();
      return outcomes;
    },
  };
}

function isUrl({ uriOrLocator }: Ref): boolean {
  return /^https?:/i.test(uriOrLocator);
}

const allOver = "the time for all references together was over";

/** Never rejects, and is over in time whatever the reader does. */
async function readOne(
  ref: Ref,
  { tenantId, workspace, ownPlace = false }: RefreshJob,
  reader: ReadRef | undefined,
  { timeoutMs, endsAtMs, locatorLength }: ReferenceLimits & { readonly endsAtMs: number },
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  const fetchedAtMs = Date.now();
  const leftMs = Math.min(timeoutMs, endsAtMs - performance.now());
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.max(0, leftMs));
  try {
    if (leftMs <= 0) throw new Unreadable(allOver);
    if (Math.max(ref.uriOrLocator.length, ref.versionOrSha.length) > locatorLength)
      throw new Unreadable(`its locator or version is longer than ${locatorLength} characters`);
    if (!reader) throw new Unreadable("nobody here knows this type of reference");
    const inTime = AbortSignal.any([signal, over.signal]);
    const reading = reader(ref, { tenantId, workspace, ownPlace, signal: inTime });
    return { ok: true, ...(await Promise.race([reading, firesOf(inTime)])), fetchedAtMs };
  } catch (error) {
    const late = leftMs < timeoutMs ? allOver : `it was not read within ${timeoutMs / 1_000} s`;
    return { ok: false, reason: over.signal.aborted ? late : reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

function firesOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fire = () => reject(new Unreadable("nobody waits for it any more"));
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true });
  });
}
