import { type AuditEntry, AuditEventType, type Escalation } from "@baton/contract/forms";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Hub } from "../hub/connect-hub.ts";
import { all, quote } from "../hub/filter.ts";
import { optionalAnswer } from "../hub/optional-answer.ts";
import { type Listed, readPages } from "../hub/read-pages.ts";
import { limits } from "../limits.ts";

/** What events do not contain: a failed or rejected gate, from the audit record, or a question to a person. */
export type Verdict =
  | { readonly kind: "entry"; readonly at: Timestamp | undefined; readonly of: AuditEntry }
  | { readonly kind: "question"; readonly at: Timestamp | undefined; readonly of: Escalation };

/** Reported entries, selected here because filters have no OR. */
const reportedTypes: ReadonlySet<AuditEventType> = new Set([
  AuditEventType.GATE_FAILED,
  AuditEventType.GATE_REJECTED,
]);

/** Frequent entries that the filter leaves out. The remaining ones advance the position. */
const unreportedTypes = (
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
  /** Only of this run. */
  readonly pipelineId: string | undefined;
}

/** The verdicts on all runs in the order of time, each once. Reads only what is new of both lists, page by page. */
export class Verdicts {
  readonly #record: Source<AuditEntry>;
  readonly #questions: Source<Escalation>;

  constructor(asking: Asking) {
    this.#record = new Source(new RecordList(asking));
    this.#questions = new Source(new QuestionList(asking));
  }

  /** False once the hub has refused to show the audit record. */
  get hasRecord(): boolean {
    return this.#record.isReadable;
  }

  /** Starts with new verdicts. */
  async beginNow(): Promise<void> {
    await Promise.all([this.#record.beginNow(), this.#questions.beginNow()]);
  }

  /** Starts with the verdicts of this time. */
  beginAt(at: Timestamp): void {
    this.#record.beginAt(at);
    this.#questions.beginAt(at);
  }

  /** Available verdicts, oldest first; only those before `until` if given. */
  async *take(until?: Timestamp): AsyncGenerator<Verdict> {
    // An exhausted list is read again for new rows, but not for each past event.
    if (until === undefined) for (const source of [this.#record, this.#questions]) source.mayHaveMore();
    while (true) {
      const [entry, question] = await Promise.all([this.#record.peek(), this.#questions.peek()]);
      const isEntry =
        entry !== undefined && (question === undefined || !isBefore(question.raisedAt, entry.timestamp));
      const at = isEntry ? entry.timestamp : question?.raisedAt;
      if ((entry ?? question) === undefined || (until !== undefined && !isBefore(at, until))) return;
      if (isEntry) {
        this.#record.drop();
        if (reportedTypes.has(entry.eventType)) yield { kind: "entry", at, of: entry };
      } else if (question !== undefined) {
        this.#questions.drop();
        yield { kind: "question", at, of: question };
      }
    }
  }
}

/** A list that grows at its end. */
interface Growing<Row> {
  /** Rows after the last one read, or from a time on. Rows of the same time may be known already. */
  read(position: Position<Row>): Promise<Listed<Row>>;
  newest(): Promise<readonly Row[]>;
  idOf(row: Row): string;
  timeOf(row: Row): Timestamp | undefined;
}

interface Position<Row> {
  readonly last: Row | undefined;
  readonly since: Timestamp | undefined;
}

class Source<Row> {
  readonly #list: Growing<Row>;
  #buffered: Row[] = [];
  #position: Position<Row> = { last: undefined, since: undefined };
  /** Ids of the read rows that have the same time as the last. */
  #known = new Set<string>();
  #isExhausted = false;
  #isReadable = true;

  constructor(list: Growing<Row>) {
    this.#list = list;
  }

  get isReadable(): boolean {
    return this.#isReadable;
  }

  async beginNow(): Promise<void> {
    const newest = await this.#ifAllowed(this.#list.newest());
    for (const row of newest ?? []) this.#remember(row);
  }

  beginAt(since: Timestamp): void {
    this.#position = { last: undefined, since };
  }

  mayHaveMore(): void {
    this.#isExhausted = false;
  }

  async peek(): Promise<Row | undefined> {
    while (this.#buffered.length === 0 && !this.#isExhausted && this.#isReadable) {
      const page = await this.#ifAllowed(this.#list.read(this.#position));
      const fresh = (page?.rows ?? []).filter((row) => !this.#known.has(this.#list.idOf(row)));
      for (const row of fresh) this.#remember(row);
      this.#buffered = fresh;
      this.#isExhausted = fresh.length === 0 || !page?.more;
    }
    return this.#buffered[0];
  }

  drop(): void {
    this.#buffered.shift();
  }

  #remember(row: Row): void {
    const { last } = this.#position;
    if (last !== undefined && isBefore(this.#list.timeOf(last), this.#list.timeOf(row))) this.#known.clear();
    this.#known.add(this.#list.idOf(row));
    this.#position = { last: row, since: undefined };
  }

  /** A list that the key may not read is left out. */
  async #ifAllowed<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
    const answer = await optionalAnswer(asked);
    if (answer === undefined) this.#isReadable = false;
    return answer;
  }
}

class RecordList implements Growing<AuditEntry> {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  read({ last, since }: Position<AuditEntry>): Promise<Listed<AuditEntry>> {
    const position = last ? `sequence > ${last.sequence}` : since && `timestamp >= ${instantOf(since)}`;
    return readPages(limits.pageRows, (page) =>
      this.#list({ ...page, orderBy: "sequence" }, position, ...unreportedTypes),
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

  read({ last, since }: Position<Escalation>): Promise<Listed<Escalation>> {
    const from = last?.raisedAt ?? since;
    const position = from && `raised_at >= ${instantOf(from)}`;
    return readPages(limits.listedQuestions, (page) =>
      this.#list({ ...page, orderBy: "raised_at" }, position),
    );
  }

  /** All rows of the newest time, because another one of that time may follow. */
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

  async #list(page: Page, position: string | undefined) {
    const { hub, signal, pipelineId } = this.#asking;
    const request = { ...page, filter: all(ofPipeline(pipelineId), position) };
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

function isBefore(a: Timestamp | undefined, b: Timestamp | undefined): boolean {
  return a !== undefined && b !== undefined && timestampMs(a) < timestampMs(b);
}
