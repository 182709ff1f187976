import { type AuditEntry, AuditEventType, type Escalation } from "@baton/contract/forms";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { limits } from "../limits.ts";
import type { Hub } from "./connect-hub.ts";
import { all, quote } from "./filter.ts";
import { ifThere } from "./if-there.ts";
import { type Listed, readPages } from "./read-pages.ts";

/** What no event says: work that was not taken as it came, from the record, or a question to people. */
export type Verdict =
  | { readonly kind: "entry"; readonly at: Timestamp | undefined; readonly of: AuditEntry }
  | { readonly kind: "question"; readonly at: Timestamp | undefined; readonly of: Escalation };

/** Those that are told; there is no OR in a filter. */
const told: ReadonlySet<AuditEventType> = new Set([AuditEventType.GATE_FAILED, AuditEventType.GATE_REJECTED]);

/** Those of every attempt, which need not be sent. What is left moves the place from which is read on. */
const untold = (
  [
    "PIPELINE_CREATED",
    "DISPATCH_DECISION",
    "DISPATCH_SENT",
    "RESULT_RECEIVED",
    "RESULT_VALIDATED",
    "GATE_PASSED",
  ] as const satisfies readonly (keyof typeof AuditEventType)[]
).map((type) => `event_type != AUDIT_EVENT_TYPE_${type}`);

interface Asking {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** Of this pipeline alone. */
  readonly pipelineId: string | undefined;
}

/**
 * The verdicts on all pipelines in the order of time, each once, whatever becomes of the connection. Of each of the two
 * lists only what has come since is read, a page at a time.
 */
export class Verdicts {
  readonly #record: Source<AuditEntry>;
  readonly #questions: Source<Escalation>;

  constructor(asking: Asking) {
    this.#record = new Source(new RecordList(asking));
    this.#questions = new Source(new QuestionList(asking));
  }

  /** False once it is known that the record is not ours to read. */
  get hasRecord(): boolean {
    return this.#record.isOurs;
  }

  /** With what comes from now on. */
  async beginNow(): Promise<void> {
    await Promise.all([this.#record.beginNow(), this.#questions.beginNow()]);
  }

  /** With what came at this time. */
  beginAt(at: Timestamp): void {
    this.#record.beginAt(at);
    this.#questions.beginAt(at);
  }

  /** What there is, the oldest first; before a time that is given, only what came before it. */
  async *take(until?: Timestamp): AsyncGenerator<Verdict> {
    // A list that had no more is asked again for what has come meanwhile, and not for each event of the past.
    if (until === undefined) for (const source of [this.#record, this.#questions]) source.mayHaveMore();
    while (true) {
      const [entry, question] = await Promise.all([this.#record.peek(), this.#questions.peek()]);
      const isEntry =
        entry !== undefined && (question === undefined || !isBefore(question.raisedAt, entry.timestamp));
      const at = isEntry ? entry.timestamp : question?.raisedAt;
      if ((entry ?? question) === undefined || (until !== undefined && !isBefore(at, until))) return;
      if (isEntry) {
        this.#record.drop();
        if (told.has(entry.eventType)) yield { kind: "entry", at, of: entry };
      } else if (question !== undefined) {
        this.#questions.drop();
        yield { kind: "question", at, of: question };
      }
    }
  }
}

/** A list that grows at its end. */
interface Growing<Row> {
  /** What comes after the last row that was read, or from a time on. Of rows that are alike in time some may be known. */
  read(place: Place<Row>): Promise<Listed<Row>>;
  newest(): Promise<readonly Row[]>;
  idOf(row: Row): string;
  timeOf(row: Row): Timestamp | undefined;
}

interface Place<Row> {
  readonly last: Row | undefined;
  readonly since: Timestamp | undefined;
}

class Source<Row> {
  readonly #list: Growing<Row>;
  #ahead: Row[] = [];
  #place: Place<Row> = { last: undefined, since: undefined };
  /** Of rows that were read, those of the same time as the last. */
  #known = new Set<string>();
  #isDry = false;
  #isOurs = true;

  constructor(list: Growing<Row>) {
    this.#list = list;
  }

  get isOurs(): boolean {
    return this.#isOurs;
  }

  async beginNow(): Promise<void> {
    const newest = await this.#ifOurs(this.#list.newest());
    for (const row of newest ?? []) this.#remember(row);
  }

  beginAt(since: Timestamp): void {
    this.#place = { last: undefined, since };
  }

  mayHaveMore(): void {
    this.#isDry = false;
  }

  async peek(): Promise<Row | undefined> {
    while (this.#ahead.length === 0 && !this.#isDry && this.#isOurs) {
      const page = await this.#ifOurs(this.#list.read(this.#place));
      const fresh = (page?.rows ?? []).filter((row) => !this.#known.has(this.#list.idOf(row)));
      for (const row of fresh) this.#remember(row);
      this.#ahead = fresh;
      this.#isDry = fresh.length === 0 || !page?.more;
    }
    return this.#ahead[0];
  }

  drop(): void {
    this.#ahead.shift();
  }

  #remember(row: Row): void {
    const { last } = this.#place;
    if (last !== undefined && isBefore(this.#list.timeOf(last), this.#list.timeOf(row))) this.#known.clear();
    this.#known.add(this.#list.idOf(row));
    this.#place = { last: row, since: undefined };
  }

  /** Whoever may not see a list is told the rest. */
  async #ifOurs<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
    const answer = await ifThere(asked);
    if (answer === undefined) this.#isOurs = false;
    return answer;
  }
}

class RecordList implements Growing<AuditEntry> {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  read({ last, since }: Place<AuditEntry>): Promise<Listed<AuditEntry>> {
    const place = last ? `sequence > ${last.sequence}` : since && `timestamp >= ${instantOf(since)}`;
    return readPages(limits.pageRows, (page) =>
      this.#list({ ...page, orderBy: "sequence" }, place, ...untold),
    );
  }

  async newest(): Promise<readonly AuditEntry[]> {
    const page = { pageSize: 1, pageToken: "", orderBy: "sequence desc" };
    return (await this.#list(page, undefined)).rows;
  }

  idOf({ sequence }: AuditEntry): string {
    return String(sequence);
  }

  timeOf({ timestamp }: AuditEntry): Timestamp | undefined {
    return timestamp;
  }

  async #list(page: Page, ...terms: readonly (string | undefined)[]) {
    const { hub, signal, pipelineId } = this.#asking;
    const request = { ...page, filter: all(ofPipeline(pipelineId), ...terms) };
    const { entries, nextPageToken } = await hub.audit.listAuditEntries(request, { signal });
    return { rows: entries, nextPageToken };
  }
}

class QuestionList implements Growing<Escalation> {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  read({ last, since }: Place<Escalation>): Promise<Listed<Escalation>> {
    const from = last?.raisedAt ?? since;
    const place = from && `raised_at >= ${instantOf(from)}`;
    return readPages(limits.listedQuestions, (page) => this.#list({ ...page, orderBy: "raised_at" }, place));
  }

  /** All of the newest time: another one may yet come with it. */
  async newest(): Promise<readonly Escalation[]> {
    const page = { pageSize: 1, pageToken: "", orderBy: "raised_at desc" };
    const [last] = (await this.#list(page, undefined)).rows;
    return last === undefined ? [] : (await this.read({ last, since: undefined })).rows;
  }

  idOf({ escalationId }: Escalation): string {
    return escalationId;
  }

  timeOf({ raisedAt }: Escalation): Timestamp | undefined {
    return raisedAt;
  }

  async #list(page: Page, place: string | undefined) {
    const { hub, signal, pipelineId } = this.#asking;
    const request = { ...page, filter: all(ofPipeline(pipelineId), place) };
    const { escalations, nextPageToken } = await hub.orchestrator.listEscalations(request, { signal });
    return { rows: escalations, nextPageToken };
  }
}

interface Page {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly orderBy: string;
}

function ofPipeline(pipelineId: string | undefined): string | undefined {
  return pipelineId === undefined ? undefined : `pipeline_id = ${quote(pipelineId)}`;
}

function instantOf(at: Timestamp): string {
  return quote(new Date(timestampMs(at)).toISOString());
}

function isBefore(one: Timestamp | undefined, other: Timestamp | undefined): boolean {
  return one !== undefined && other !== undefined && timestampMs(one) < timestampMs(other);
}
