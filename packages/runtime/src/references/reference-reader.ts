import { type Ref, RefType } from "@baton/contract";
import type { RefreshOutcome } from "@baton/kernel";
import { KeyedQueue } from "../lib/keyed-queue.ts";
import type { ReferenceReader, RefreshJob } from "../ports/outside.ts";
import type { AllowedWorkspaces } from "../processes/allowed-workspaces.ts";
import { defaultReferenceLimits, type ReferenceLimits } from "./limits.ts";
import { type RecordCommands, recordReader } from "./read-record.ts";
import type { ReadRef } from "./read-ref.ts";
import { artifactReader, commitReader, fileReader } from "./read-stored.ts";
import { reasonOf, Unreadable } from "./unreadable.ts";
import { type UrlReaderOptions, urlReader } from "./url/read-url.ts";

export interface ReferenceReaderOptions extends UrlReaderOptions {
  /** Folders of readable files and repositories. Default: any. */
  readonly folders?: AllowedWorkspaces;
  /** Commands for database records. Default: none. */
  readonly records?: RecordCommands;
  readonly limits?: Partial<ReferenceLimits>;
}

/**
 * Reads references: files, commits, web documents, artifacts, records. Content stays here; only digest, version and
 * time are returned. Each failure affects one reference.
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
  const tenants = new KeyedQueue(limits.maxConcurrent);
  return {
    read: async (job, signal) => {
      const endsAtMs = performance.now() + limits.totalMs;
      const read = (ref: Ref) => readOne(ref, job, readers[ref.refType], { ...limits, endsAtMs }, signal);
      const outcomes = await Promise.all(job.refs.map((ref) => tenants.run(job.tenantId, () => read(ref))));
      signal.throwIfAborted();
      return outcomes;
    },
  };
}

function isUrl({ uriOrLocator }: Ref): boolean {
  return /^https?:/i.test(uriOrLocator);
}

const totalTimeout = "reading all references took too long";

/** Never rejects, and settles in time even if the reader does not. */
async function readOne(
  ref: Ref,
  { tenantId, workspace, ownPlace = false }: RefreshJob,
  reader: ReadRef | undefined,
  { timeoutMs, endsAtMs, locatorLength }: ReferenceLimits & { readonly endsAtMs: number },
  signal: AbortSignal,
): Promise<RefreshOutcome> {
  const fetchedAtMs = Date.now();
  const leftMs = Math.min(timeoutMs, endsAtMs - performance.now());
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.max(0, leftMs));
  try {
    if (leftMs <= 0) throw new Unreadable(totalTimeout);
    if (Math.max(ref.uriOrLocator.length, ref.versionOrSha.length) > locatorLength)
      throw new Unreadable(`its locator or version is longer than ${locatorLength} characters`);
    if (!reader) throw new Unreadable("the hub cannot read this type of reference");
    const deadline = AbortSignal.any([signal, timeout.signal]);
    const reading = reader(ref, { tenantId, workspace, ownPlace, signal: deadline });
    return { ok: true, ...(await Promise.race([reading, aborted(deadline)])), fetchedAtMs };
  } catch (error) {
    const timeoutReason = leftMs < timeoutMs ? totalTimeout : `it was not read within ${timeoutMs / 1_000} s`;
    return { ok: false, reason: timeout.signal.aborted ? timeoutReason : reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fire = () => reject(new Unreadable("it was cancelled"));
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true });
  });
}
