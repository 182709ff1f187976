/** What people state about outcomes and what is learnt: calls of KnowledgeService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, valid } from "../case.ts";
import { finishedAt, ofLength } from "../parts.ts";

const signal: JsonObject = {
  signalId: "s-1",
  pipelineId: "p-1",
  capability: "report.write",
  territory: "EUFM",
  fingerprint: ofLength(64, "f"),
  rating: 4,
  note: "It lacks a summary",
  approval: "APPROVAL_APPROVED",
  correctionJson: '{"summary":"..."}',
  by: "ada",
  at: finishedAt,
  withLessons: true,
};

const lesson: JsonObject = {
  lessonId: "l-1",
  kind: "LESSON_KIND_PUNCH_CARD",
  version: 2,
  text: "Begin with a summary",
  capability: "report.write",
  territory: "EUFM",
  fingerprint: ofLength(64, "f"),
  sourcePipelineId: "p-1",
  by: "ada",
  at: finishedAt,
  withdrawnReason: "it is obvious",
};

const heuristics: JsonObject = {
  version: "3",
  essence: [{ capability: "report.write", pointers: ["/requestId"] }],
  harmlessTools: ["search"],
  reason: "ids do not matter",
  by: "ada",
  at: finishedAt,
};

const rated: JsonObject = { count: 4, meanRating: 4.5, approved: 3, rejected: 1 };
const feedback: JsonObject = { pipelineId: "p-1", rating: 5 };
const change: JsonObject = { essence: { capability: "report.write" }, reason: "ids do not matter" };
const hundred = Array.from({ length: 100 }, () => "/a");
const tools = Array.from({ length: 101 }, () => "search");

export const learningCases: readonly Case[] = [
  valid(
    "give-feedback-request",
    "GiveFeedbackRequest",
    "A rating, a note that becomes a lesson, and a correction.",
    {
      ...feedback,
      note: "Begin with a summary",
      approval: "APPROVAL_REJECTED",
      correctionJson: "{}",
      lesson: "LESSON_KIND_PLAYBOOK",
    },
  ),
  valid("give-feedback-request-longest", "GiveFeedbackRequest", "The longest note and correction.", {
    ...feedback,
    note: ofLength(20_000),
    correctionJson: ofLength(1_048_576),
  }),
  valid("give-feedback-response", "GiveFeedbackResponse", "The signal and the lesson.", { signal, lesson }),
  valid("give-feedback-response-hollow", "GiveFeedbackResponse", "Parts that are there but empty.", {
    signal: {},
    lesson: {},
  }),
  valid("give-feedback-response-epoch", "GiveFeedbackResponse", "Times that are there but empty.", {
    signal: { at: "1970-01-01T00:00:00Z" },
    lesson: { at: "1970-01-01T00:00:00Z" },
  }),
  valid("give-feedback-response-empty", "GiveFeedbackResponse", "Nothing.", {}),
  valid("list-signals-request", "ListSignalsRequest", "The second page.", {
    pageSize: 500,
    pageToken: ofLength(64),
  }),
  valid("list-signals-request-empty", "ListSignalsRequest", "The newest signals.", {}),
  valid("list-signals-response", "ListSignalsResponse", "A page with another after it.", {
    signals: [signal],
    nextPageToken: "7",
  }),
  valid("list-lessons-request", "ListLessonsRequest", "All lessons.", {}),
  valid("list-lessons-response", "ListLessonsResponse", "A lesson and how outcomes were rated.", {
    lessons: [{ lesson, withLessons: rated, withoutLessons: rated }],
  }),
  valid("list-lessons-response-hollow", "ListLessonsResponse", "Nothing was rated yet.", {
    lessons: [{ lesson: {}, withLessons: {}, withoutLessons: {} }],
  }),
  valid("list-lessons-response-empty", "ListLessonsResponse", "An effect of nothing.", { lessons: [{}] }),
  valid("withdraw-lesson-request", "WithdrawLessonRequest", "A lesson and a reason.", {
    lessonId: "l-1",
    reason: "it is wrong",
  }),
  valid("withdraw-lesson-request-longest", "WithdrawLessonRequest", "The longest reason.", {
    lessonId: ofLength(256),
    reason: ofLength(2_000),
  }),
  valid("withdraw-lesson-response", "WithdrawLessonResponse", "The lesson.", { lesson }),
  valid("withdraw-lesson-response-hollow", "WithdrawLessonResponse", "A lesson that is there but empty.", {
    lesson: {},
  }),
  valid("withdraw-lesson-response-empty", "WithdrawLessonResponse", "Nothing.", {}),
  valid("get-heuristics-request", "GetHeuristicsRequest", "The heuristics in force.", {}),
  valid("get-heuristics-response", "GetHeuristicsResponse", "The third version.", { heuristics }),
  valid("get-heuristics-response-hollow", "GetHeuristicsResponse", "Before the first change.", {
    heuristics: {},
  }),
  valid("get-heuristics-response-empty", "GetHeuristicsResponse", "Nothing.", {}),
  valid("change-heuristics-request", "ChangeHeuristicsRequest", "A rule and tools.", {
    essence: { capability: "report.write", pointers: ["/requestId"] },
    harmlessTools: ["search"],
    actingTools: ["deploy"],
    reason: ofLength(2_000),
  }),
  valid("change-heuristics-response", "ChangeHeuristicsResponse", "The new version.", { heuristics }),
  valid(
    "change-heuristics-request-longest",
    "ChangeHeuristicsRequest",
    "Lists as long as the rules accept.",
    {
      essence: { capability: ofLength(256), pointers: hundred },
      harmlessTools: hundred,
      actingTools: hundred,
      reason: "r",
    },
  ),
  valid("change-heuristics-request-hollow", "ChangeHeuristicsRequest", "A rule that is there but empty.", {
    essence: {},
    reason: "r",
  }),
  valid("change-heuristics-request-tools", "ChangeHeuristicsRequest", "Tools alone.", {
    harmlessTools: ["search"],
    reason: "r",
  }),
  valid("change-heuristics-response-hollow", "ChangeHeuristicsResponse", "A version of nothing.", {
    heuristics: { at: "1970-01-01T00:00:00Z" },
  }),
  valid("change-heuristics-response-hollow-heuristics", "ChangeHeuristicsResponse", "Empty heuristics.", {
    heuristics: {},
  }),
  valid("change-heuristics-response-empty", "ChangeHeuristicsResponse", "Nothing.", {}),
  ...breaks("GiveFeedbackRequest", feedback, [
    ["pipeline_id", "", "string.min_len", "Feedback about no run."],
    ["rating", -1, "int32.gte_lte", "Less than no rating.", { suffix: "below" }],
    ["rating", 6, "int32.gte_lte", "More than the best rating.", { suffix: "above" }],
    ["note", ofLength(20_001), "string.max_len", "A note that is too long."],
    ["approval", 9, "enum.defined_only", "An approval that is none."],
    ["correction_json", ofLength(1_048_577), "string.max_len", "A correction that is too long."],
    ["lesson", 9, "enum.defined_only", "A kind of lesson that is none."],
  ]),
  ...breaks("GiveFeedbackResponse", { signal, lesson }, [
    ["signal.approval", 9, "enum.defined_only", "An approval that is none."],
    ["lesson.kind", 9, "enum.defined_only", "A kind of lesson that is none."],
  ]),
  ...breaks("ListSignalsRequest", {}, [
    ["page_size", -1, "int32.gte_lte", "Fewer than no signals.", { suffix: "below" }],
    ["page_size", 501, "int32.gte_lte", "Too many signals.", { suffix: "above" }],
    ["page_token", ofLength(65), "string.max_len", "A token that is too long."],
  ]),
  ...breaks("WithdrawLessonRequest", { lessonId: "l-1", reason: "it is wrong" }, [
    ["lesson_id", "", "string.min_len", "No lesson."],
    ["lesson_id", ofLength(257), "string.max_len", "An id that is too long."],
    ["reason", "", "string.min_len", "No reason."],
    ["reason", ofLength(2_001), "string.max_len", "A reason that is too long."],
  ]),
  ...breaks("ChangeHeuristicsRequest", change, [
    ["essence.capability", ofLength(257), "string.max_len", "A capability that is too long."],
    ["essence.pointers", tools, "repeated.max_items", "Too many pointers."],
    ["harmless_tools", tools, "repeated.max_items", "Too many tools."],
    ["acting_tools", tools, "repeated.max_items", "Too many tools."],
    ["reason", "", "string.min_len", "No reason."],
    ["reason", ofLength(2_001), "string.max_len", "A reason that is too long."],
  ]),
];
