import {
  type AgentResult,
  type ContextIn,
  ContextLevel,
  ContextPropagationMode,
  type Decision,
  DecisionSchema,
  type Ref,
  RefSchema,
  RefType,
  type ReviewFeedback,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { ByteBudget, codePoints, joinWholeParagraphs, keepWholeItems, Omissions } from "./trim.ts";

export interface PropagationRules {
  readonly mode: ContextPropagationMode;
  readonly carryFields: readonly string[];
  readonly carryArtifacts: boolean;
  readonly carryDecisions: boolean;
  readonly carryRisks: boolean;
}

/** The context of an attempt, besides the contract (A §3.2 step 4, §4.3 step 3). */
export interface AssembledContext {
  readonly contextIn: ContextIn | undefined;
  readonly refs: readonly Ref[];
  readonly feedback: ReviewFeedback | undefined;
  /** Omissions, by the level or the limits, for the record. */
  readonly omitted: readonly string[];
}

export interface ContextSources {
  readonly level: ContextLevel;
  readonly propagation: PropagationRules;
  readonly given: ContextIn | undefined;
  readonly refs: readonly Ref[];
  /** Stages whose context is passed on, nearest first. */
  readonly prior: readonly PriorStage[];
  readonly feedback?: ReviewFeedback | undefined;
  /** Bytes left by the rest of the envelope; `contextLimits.total` applies too. */
  readonly roomBytes?: number;
}

export interface PriorStage {
  readonly stageId: string;
  readonly result: AgentResult;
  /** The commit that the hub kept of its work, if any. */
  readonly commit?: string | undefined;
}

/**
 * The limits of ContextIn (A §2.7): code points, numbers of items, and the bytes of all together. An envelope must pass the
 * redaction filter and fit into one message.
 */
export const contextLimits = {
  sharedContext: 32_768,
  taskDelta: 16_384,
  snippet: 4_096,
  snippets: 50,
  decisions: 200,
  assumptions: 200,
  refs: 500,
  total: 1_048_576,
} as const;

/** The values of `carry_fields`: the parts of a result that can be passed to later stages. */
export const carryFields = [
  "decisions_made",
  "risks_identified",
  "assumptions_made",
  "rollback_notes",
  "summary",
] as const;

/**
 * Drops whole items, the farthest first; never cuts text. Priority: references, the earlier attempt's context, the task's
 * own context, then stages from the nearest to the farthest.
 */
export function assembleContext(sources: ContextSources): AssembledContext {
  const { level, given } = sources;
  const omissions = new Omissions();
  const room = new ByteBudget(Math.min(contextLimits.total, sources.roomBytes ?? contextLimits.total));
  const refs = keepRefs(sources, room, omissions);
  const feedback = trimFeedback(sources.feedback, room, omissions);
  const carried = sources.prior.map((prior) => carriedOf(sources, prior));
  const keepDecisions = () => [
    ...keepWholeItems(
      [given?.decisionMemo?.decisions ?? [], ...carried.map(({ decisions }) => decisions)],
      decisionRules,
      room,
      omissions,
    ),
  ];
  if (level === ContextLevel.MINIMAL) {
    noteLevel(level, { ...layeredCounts(given, carried), ...richCounts(given, carried) }, omissions);
    return { contextIn: undefined, refs, feedback, omitted: omissions.lines };
  }
  const isRich = level === ContextLevel.RICH;
  if (!isRich) noteLevel(level, richCounts(given, carried), omissions);
  // An object literal, because `create` is slower and every attempt has one.
  const contextIn: ContextIn = {
    $typeName: "vasini.agent.v1.ContextIn",
    decisionMemo: { $typeName: "vasini.agent.v1.DecisionMemo", decisions: keepDecisions() },
    criticalSnippets: keepSnippets(given, room, omissions),
    sharedContext: "",
    taskDelta: "",
    unresolvedAssumptions: [],
    ...(isRich && richParts(given, carried, room, omissions)),
  };
  return { contextIn, refs, feedback, omitted: omissions.lines };
}

const decisionRules = {
  kind: "decision",
  most: contextLimits.decisions,
  nameOf: ({ decisionId, description }: Decision) => decisionId || description,
  prefer: "last",
} as const;

const assumptionRules = {
  kind: "assumption",
  most: contextLimits.assumptions,
  nameOf: (text: string) => text,
  prefer: "last",
} as const;

/** The context passed on by one earlier stage, as allowed by mode, flags and list of fields. */
interface Carried {
  readonly decisions: readonly Decision[];
  readonly assumptions: readonly string[];
  readonly summary: string;
  readonly rollback: string;
}

const nothingCarried: Carried = { decisions: [], assumptions: [], summary: "", rollback: "" };

function carriedOf({ propagation }: ContextSources, { stageId, result }: PriorStage): Carried {
  if (propagation.mode === ContextPropagationMode.NONE) return nothingCarried;
  const { carryFields: listed, carryDecisions, carryRisks } = propagation;
  const carries = (field: (typeof carryFields)[number]) => listed.length === 0 || listed.includes(field);
  const { contextOut, status } = result;
  const made = carryDecisions && carries("decisions_made") ? (contextOut?.decisionsMade ?? []) : [];
  // Risks are part of the decision memo, which every level above MINIMAL includes.
  const risks = carryRisks && carries("risks_identified") ? (contextOut?.risksIdentified ?? []) : [];
  const rollback = carries("rollback_notes") ? (contextOut?.rollbackNotes ?? "") : "";
  const summary = carries("summary") ? (status?.summary ?? "") : "";
  return {
    decisions: [...made, ...risks.map((risk, index) => riskAsDecision(stageId, risk, index))],
    assumptions: carries("assumptions_made") ? (contextOut?.assumptionsMade ?? []) : [],
    summary: summary && `"${stageId}": ${summary}`,
    rollback: rollback && `How to undo "${stageId}": ${rollback}`,
  };
}

function riskAsDecision(stageId: string, risk: string, index: number): Decision {
  return create(DecisionSchema, {
    decisionId: `${stageId}/risk-${index + 1}`,
    description: `Risk: ${risk}`,
    sourceTask: stageId,
  });
}

function keepRefs(sources: ContextSources, room: ByteBudget, omissions: Omissions): readonly Ref[] {
  const { refs, propagation, prior } = sources;
  const carries = propagation.carryArtifacts && propagation.mode !== ContextPropagationMode.NONE;
  const rules = {
    kind: "reference",
    most: contextLimits.refs,
    nameOf: (ref: Ref) => ref.uriOrLocator,
    prefer: "first",
  } as const;
  const seen = new Set(refs.map(({ uriOrLocator }) => uriOrLocator));
  const artifacts = (carries ? prior : []).map(({ result, commit }) =>
    result.artifacts.flatMap(({ path, digest }) => {
      if (seen.has(path)) return [];
      seen.add(path);
      const versionOrSha = commit ?? result.commitSha;
      return create(RefSchema, { uriOrLocator: path, digest, versionOrSha, refType: RefType.ARTIFACT });
    }),
  );
  const kept = keepWholeItems([refs, ...artifacts], rules, room, omissions);
  // An envelope names at least one reference (A §2.1).
  return kept.length > 0 ? kept : refs.slice(0, 1);
}

/** Feedback is always included; the earlier attempt's context as far as it fits. */
function trimFeedback(
  feedback: ReviewFeedback | undefined,
  room: ByteBudget,
  omissions: Omissions,
): ReviewFeedback | undefined {
  const prior = feedback?.priorContext;
  if (!feedback || !prior) return feedback;
  const { rollbackNotes } = prior;
  const kept = {
    ...prior,
    decisionsMade: keepWholeItems([prior.decisionsMade], decisionRules, room, omissions),
    risksIdentified: keepWholeItems(
      [prior.risksIdentified],
      { ...assumptionRules, kind: "risk" },
      room,
      omissions,
    ),
    assumptionsMade: keepWholeItems([prior.assumptionsMade], assumptionRules, room, omissions),
    rollbackNotes: joinWholeParagraphs(
      [rollbackNotes],
      contextLimits.taskDelta,
      "rollback notes",
      room,
      omissions,
    ),
  };
  const isWhole =
    kept.decisionsMade.length === prior.decisionsMade.length &&
    kept.risksIdentified.length === prior.risksIdentified.length &&
    kept.assumptionsMade.length === prior.assumptionsMade.length &&
    kept.rollbackNotes === rollbackNotes;
  return isWhole ? feedback : { ...feedback, priorContext: kept };
}

function keepSnippets(given: ContextIn | undefined, room: ByteBudget, omissions: Omissions) {
  const fitting = (given?.criticalSnippets ?? []).filter(({ path, content }) => {
    const fits = codePoints(content) <= contextLimits.snippet;
    if (!fits) omissions.note("snippet", path, `longer than ${contextLimits.snippet}`);
    return fits;
  });
  const rules = {
    kind: "snippet",
    most: contextLimits.snippets,
    nameOf: (snippet: (typeof fitting)[number]) => snippet.path,
    prefer: "first",
  } as const;
  return keepWholeItems([fitting], rules, room, omissions);
}

function richParts(
  given: ContextIn | undefined,
  carried: readonly Carried[],
  room: ByteBudget,
  omissions: Omissions,
) {
  const shared = [given?.sharedContext ?? "", ...carried.map(({ summary }) => summary)];
  const delta = [given?.taskDelta ?? "", ...carried.map(({ rollback }) => rollback)];
  const assumptions = [given?.unresolvedAssumptions ?? [], ...carried.map((one) => one.assumptions)];
  return {
    sharedContext: joinWholeParagraphs(
      shared,
      contextLimits.sharedContext,
      "shared context",
      room,
      omissions,
    ),
    taskDelta: joinWholeParagraphs(delta, contextLimits.taskDelta, "task delta", room, omissions),
    unresolvedAssumptions: keepWholeItems(assumptions, assumptionRules, room, omissions),
  };
}

/** Numbers of items by part. */
type Counts = Readonly<Record<string, number>>;

function layeredCounts(given: ContextIn | undefined, carried: readonly Carried[]): Counts {
  return {
    decision_memo: count(given?.decisionMemo?.decisions ?? [], ...carried.map(({ decisions }) => decisions)),
    critical_snippets: count(given?.criticalSnippets ?? []),
  };
}

function richCounts(given: ContextIn | undefined, carried: readonly Carried[]): Counts {
  const texts = (...all: readonly string[]) => all.filter((text) => text !== "").length;
  return {
    shared_context: texts(given?.sharedContext ?? "", ...carried.map(({ summary }) => summary)),
    task_delta: texts(given?.taskDelta ?? "", ...carried.map(({ rollback }) => rollback)),
    unresolved_assumptions: count(
      given?.unresolvedAssumptions ?? [],
      ...carried.map(({ assumptions }) => assumptions),
    ),
  };
}

function count(...lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

function noteLevel(level: ContextLevel, parts: Counts, omissions: Omissions): void {
  for (const [name, items] of Object.entries(parts)) {
    const many = items === 1 ? "1 item" : `${items} items`;
    if (items > 0) omissions.note(name, `(${many})`, `not part of the context level ${ContextLevel[level]}`);
  }
}
