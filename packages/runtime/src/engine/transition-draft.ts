import { encodeBinary, PipelineSchema } from "@baton/contract";
import {
  type Command,
  hasEnded,
  type Move,
  type PipelineRecord,
  type PipelineState,
  type Redactor,
  spanIdOf,
} from "@baton/kernel";
import { writeCommand, writeRecords } from "../journal/codec.ts";
import { ContentKeeper } from "../journal/contents.ts";
import type {
  EscalationRow,
  PipelineRow,
  StoredCommand,
  StoredTimer,
  TaskRow,
  Transition,
} from "../ports/store.ts";
import { escalationRow } from "../views/escalation-view.ts";
import { listFields } from "../views/list-fields.ts";
import { pipelineView } from "../views/pipeline-view.ts";

/** The accepted decision about one input of a pipeline. */
export interface StateChange {
  readonly before: PipelineState | undefined;
  readonly records: readonly PipelineRecord[];
  readonly after: PipelineState;
  readonly moves: readonly Move[];
}

/** Collects the decisions of a transaction about one pipeline. */
export class TransitionDraft {
  readonly commands: { readonly id: number; readonly command: Command }[] = [];
  readonly timers = new Map<string, StoredTimer>();
  readonly cleared = new Set<string>();
  readonly #expectedVersion: number;
  readonly #listing: Redactor;
  readonly #records: PipelineRecord[] = [];
  readonly #escalations = new Map<string, EscalationRow>();
  /** The last state of each stage that moved, by the number of the stage. */
  #tasks: Map<number, Omit<TaskRow, "stageId">> | undefined;
  #state: PipelineState | undefined;
  #encoded: Transition | undefined;

  constructor(expectedVersion: number, listing: Redactor) {
    this.#expectedVersion = expectedVersion;
    this.#listing = listing;
  }

  add({ before, records, after, moves }: StateChange): void {
    this.#records.push(...records);
    this.#state = after;
    for (const { stage, to, commit } of moves) {
      if (stage === undefined) continue;
      this.#tasks ??= new Map();
      this.#tasks.set(stage, { state: to, headHash: commit ?? this.#tasks.get(stage)?.headHash });
    }
    for (const record of records) {
      if (record.type === "escalated") {
        const { escalationId: id, kind, stage, dispatchId, snapshot, atMs: raisedAtMs } = record;
        this.#escalations.set(
          id,
          escalationRow(this.#listing, after, { id, kind, stage, dispatchId, snapshot, raisedAtMs }),
        );
      }
      if (record.type === "resolved") this.#resolve(record.escalationId, before, records, record);
    }
  }

  #resolve(
    id: string,
    before: PipelineState | undefined,
    records: readonly PipelineRecord[],
    answer: { readonly resolution: string; readonly by: string; readonly atMs: number },
  ): void {
    const raised = records.find((record) => record.type === "escalated" && record.escalationId === id);
    const open =
      raised?.type === "escalated" ? { ...raised, id, raisedAtMs: raised.atMs } : before?.escalations.get(id);
    if (open && this.#state)
      this.#escalations.set(id, escalationRow(this.#listing, this.#state, open, answer));
  }

  get encoded(): Transition {
    if (!this.#encoded) throw new Error("a transition is encoded when it is decided");
    return this.#encoded;
  }

  /** A pipeline that changes again in the same transaction is encoded again. */
  encode(pipelineId: string): void {
    if (!this.#state) throw new Error("a transition has a state");
    const keeper = new ContentKeeper();
    const text = writeRecords(this.#records, keeper);
    const commands = this.commands.map(
      ({ id, command }): StoredCommand => ({ id, pipelineId, text: writeCommand(command, keeper) }),
    );
    this.#encoded = {
      pipelineId,
      expectedVersion: this.#expectedVersion,
      records: { text, count: this.#records.length },
      contents: keeper.contents,
      row: pipelineRow(this.#state, this.#listing),
      commands,
      timersSet: [...this.timers.values()],
      timersCleared: [...this.cleared],
      escalations: [...this.#escalations.values()],
      tasks: this.#tasks ? taskRows(this.#state, this.#tasks, this.#listing) : [],
    };
  }
}

function taskRows(
  { plan }: PipelineState,
  tasks: ReadonlyMap<number, Omit<TaskRow, "stageId">>,
  listing: Redactor,
): readonly TaskRow[] {
  const rows: TaskRow[] = [];
  for (const [stage, { state, headHash }] of tasks) {
    rows.push({ stageId: listedStage(plan.stages[stage]?.id ?? "", listing), state, headHash });
  }
  return rows;
}

/** Lists distinguish stages by id, so an id that looks like a secret becomes a digest, as in the names of branches. */
function listedStage(stageId: string, listing: Redactor): string {
  return listing.redactText(stageId).text === stageId ? stageId : `x.${spanIdOf(stageId)}`;
}

/** Secrets are redacted before the row is stored. */
function pipelineRow(state: PipelineState, listing: Redactor): PipelineRow {
  const ended = hasEnded(state);
  return {
    pipelineId: state.id,
    tenantId: state.tenantId,
    status: state.life.status,
    ended,
    templateId: state.templateId,
    pipelineName: listing.redactText(state.name).text.slice(0, maxNameLength),
    ...listFields(state, listing),
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    view: ended ? listedView(state, listing) : undefined,
  };
}

function listedView(state: PipelineState, listing: Redactor): Uint8Array {
  const view = pipelineView(state, { withResults: false });
  return encodeBinary(PipelineSchema, listing.redactMessage(PipelineSchema, view).message);
}

/** Display names may have any length; lists filter and order by the beginning. */
const maxNameLength = 1_024;
