import { hash } from "node:crypto";
import {
  ActorType,
  AuditEventType,
  ChangeHeuristicsResponseSchema,
  decodeBinary,
  encodeBinary,
  GetHeuristicsResponseSchema,
  GiveFeedbackResponseSchema,
  type Heuristics,
  HeuristicsSchema,
  type Lesson,
  LessonKind,
  LessonSchema,
  ListLessonsResponseSchema,
  ListSignalsResponseSchema,
  SignalSchema,
  WithdrawLessonResponseSchema,
} from "@baton/contract";
import { hasEnded, lessonLimits, newestLessons, type PipelineState, sentOf } from "@baton/kernel";
import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { NewKnowledge } from "../../ports/store.ts";
import { find, type HubContext, notFound } from "../context.ts";
import type { Hub } from "../hub.ts";
import { checkFeedback, checkHeuristics, refuseAgents } from "./check-learning.ts";
import { effectOf } from "./lesson-effect.ts";
import { readSequence } from "./read-sequence.ts";

type LearningCalls = Pick<
  Hub,
  "giveFeedback" | "listSignals" | "listLessons" | "withdrawLesson" | "getHeuristics" | "changeHeuristics"
>;

const pages = { default: 50, lessons: 500, signals: 1_000 };

/** What people think of outcomes, and what later tasks learn from it (SAP-06). Agents state nothing here. */
export function learningCalls(context: HubContext): LearningCalls {
  const { engine, store, filter, chance } = context;
  /** Stores knowledge with an audit entry that has its digest. */
  const add = async (
    { tenantId, id }: Caller,
    rows: readonly Omit<NewKnowledge, "tenantId" | "atMs">[],
    action: string,
    rationale: string,
  ): Promise<void> => {
    const digests = rows.map(({ content }) => hash("sha256", content)).join(", ");
    const knowledge = rows.map((row) => ({ ...row, tenantId, atMs: engine.nowMs }));
    const actor = { type: ActorType.HUMAN, id };
    const eventType = AuditEventType.KNOWLEDGE_CHANGED;
    const event = { eventType, actor, action: `${action}; SHA-256 ${digests}`, rationale };
    await available(engine.addKnowledge(tenantId, knowledge, event));
  };
  const read = async <Schema extends DescMessage>(
    schema: Schema,
    query: {
      readonly tenantId: string;
      readonly topic: string;
      readonly key?: string;
      readonly limit: number;
    },
  ): Promise<readonly MessageShape<Schema>[]> =>
    (await available(store.knowledge(query))).map(({ content }) => decodeBinary(schema, content));
  const lessonRows = (tenantId: string) =>
    available(store.knowledge({ tenantId, topic: "library", limit: pages.lessons }));
  const heuristicsOf = async (tenantId: string): Promise<Heuristics> =>
    (await available(engine.heuristics(tenantId))) ?? create(HeuristicsSchema);

  return {
    async giveFeedback(caller, request) {
      refuseAgents(caller);
      checkFeedback(request);
      const state = await find(context, caller, request.pipelineId);
      const { learning, task } = state;
      if (!learning || !task.governance || !hasEnded(state)) throw noOutcome(request.pipelineId);
      const { rating, note, approval, correctionJson, lesson: kind } = request;
      const about = {
        capability: task.governance.capability || (state.plan.stages[0]?.taskType ?? ""),
        territory: task.governance.territory,
        fingerprint: learning.fingerprint,
        by: caller.id,
        at: timestampFromMs(engine.nowMs),
      };
      const signal = create(SignalSchema, {
        ...{ signalId: chance.uuid(), pipelineId: state.id, ...about },
        ...{ rating, note, approval, correctionJson, withLessons: hadLessons(state) },
      });
      const rows = [{ topic: "signal", key: learning.key, content: encodeBinary(SignalSchema, signal) }];
      if (kind === LessonKind.UNSPECIFIED) {
        await add(caller, rows, `gave feedback on run ${state.id}`, "");
        return create(GiveFeedbackResponseSchema, { signal });
      }
      const text = filter.at("answer").redactText(note).text;
      if (Buffer.byteLength(text) > lessonLimits.bytes) throw tooLong();
      const lesson = create(LessonSchema, {
        ...{ lessonId: chance.uuid(), kind, version: 1, text, sourcePipelineId: state.id, ...about },
      });
      rows.push({ topic: "library", key: learning.key, content: encodeBinary(LessonSchema, lesson) });
      await add(caller, rows, `gave feedback on run ${state.id}, with lesson ${lesson.lessonId}`, "");
      return create(GiveFeedbackResponseSchema, { signal, lesson });
    },

    async listSignals({ tenantId }, { pageSize, pageToken }) {
      const limit = pageSize || pages.default;
      const before = readSequence(pageToken);
      const rows = await available(store.knowledge({ tenantId, topic: "signal", before, limit: limit + 1 }));
      const page = rows.slice(0, limit);
      return create(ListSignalsResponseSchema, {
        signals: page.map(({ content }) => decodeBinary(SignalSchema, content)),
        nextPageToken: rows.length > limit ? String(page.at(-1)?.sequence) : "",
      });
    },

    async listLessons({ tenantId }) {
      const rows = await lessonRows(tenantId);
      const keys = new Map(
        rows.map(({ key, content }) => [decodeBinary(LessonSchema, content).lessonId, key] as const),
      );
      const lessons = newestLessons(rows.map(({ content }) => decodeBinary(LessonSchema, content)));
      const effects = lessons.map(async (lesson) => {
        const key = keys.get(lesson.lessonId) ?? "";
        const signals = await read(SignalSchema, { tenantId, topic: "signal", key, limit: pages.signals });
        return effectOf(lesson, signals);
      });
      return create(ListLessonsResponseSchema, { lessons: await Promise.all(effects) });
    },

    async withdrawLesson(caller, { lessonId, reason }) {
      refuseAgents(caller);
      const rows = await lessonRows(caller.tenantId);
      const found = rows
        .map(({ key, content }) => ({ key, lesson: decodeBinary(LessonSchema, content) }))
        .find(({ lesson }) => lesson.lessonId === lessonId);
      if (!found) throw notFound("lesson", lessonId, "list the lessons (baton lessons list) and name one");
      const { key, lesson } = found;
      if (lesson.withdrawnReason !== "") return create(WithdrawLessonResponseSchema, { lesson });
      const withdrawn: Lesson = {
        ...lesson,
        ...{ text: "", version: lesson.version + 1, withdrawnReason: reason, by: caller.id },
        at: timestampFromMs(engine.nowMs),
      };
      const content = encodeBinary(LessonSchema, withdrawn);
      await add(caller, [{ topic: "library", key, content }], `withdrew lesson ${lessonId}`, reason);
      return create(WithdrawLessonResponseSchema, { lesson: withdrawn });
    },

    getHeuristics: async ({ tenantId }) =>
      create(GetHeuristicsResponseSchema, { heuristics: await heuristicsOf(tenantId) }),

    async changeHeuristics(caller, request) {
      refuseAgents(caller);
      checkHeuristics(request);
      const { essence, harmlessTools, actingTools, reason } = request;
      const before = await heuristicsOf(caller.tenantId);
      const others = before.essence.filter(({ capability }) => capability !== essence?.capability);
      const tools = new Set([...before.harmlessTools, ...harmlessTools]);
      for (const tool of actingTools) tools.delete(tool);
      const heuristics = create(HeuristicsSchema, {
        version: before.version + 1n,
        essence:
          essence && essence.pointers.length > 0 ? [...others, essence] : essence ? others : before.essence,
        harmlessTools: [...tools].sort(),
        ...{ reason, by: caller.id, at: timestampFromMs(engine.nowMs) },
      });
      const content = encodeBinary(HeuristicsSchema, heuristics);
      const action = `changed the heuristics to version ${heuristics.version}`;
      await add(caller, [{ topic: "heuristics", key: "heuristics", content }], action, reason);
      return create(ChangeHeuristicsResponseSchema, { heuristics });
    },
  };
}

function hadLessons({ stages }: PipelineState): boolean {
  return stages.some((stage) => (sentOf(stage)?.envelope.lessons.length ?? 0) > 0);
}

function noOutcome(pipelineId: string): HubError {
  const message = `run "${pipelineId}" has no outcome of a governed task`;
  return new HubError("precondition", "BATON-PIPELINE-002", message, {
    fix: "name a run of a governed task that has ended",
  });
}

function tooLong(): HubError {
  const message = `a lesson has at most ${lessonLimits.bytes} bytes`;
  return new HubError("invalid", "BATON-QUERY-004", message, {
    fix: "say it in fewer words, or give the note without a lesson",
    violations: [{ field: "note", rule: "BATON-QUERY-004", message }],
  });
}
