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
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { PropagationRules } from "../pipeline/plan.ts";

/** What an agent is told beyond the contract (A §3.2 step 4, §4.3 step 3). */
export interface AssembledContext {
  readonly contextIn: ContextIn | undefined;
  readonly refs: readonly Ref[];
  /** What was left out to keep within the limits, for the record. */
  readonly omitted: readonly string[];
}

export interface ContextSources {
  readonly level: ContextLevel;
  readonly propagation: PropagationRules;
  readonly given: ContextIn | undefined;
  readonly refs: readonly Ref[];
  /** Stages whose context travels, the most important first: the nearest. */
  readonly prior: readonly PriorStage[];
}

export interface PriorStage {
  readonly stageId: string;
  readonly result: AgentResult;
  /** What the hub itself kept of its work, where it did. */
  readonly commit?: string | undefined;
}

/** The limits of ContextIn (A §2.7), in code points, and how many items of each kind travel at the most. */
export const contextLimits = {
  sharedContext: 32_768,
  taskDelta: 16_384,
  snippet: 4_096,
  snippets: 50,
  decisions: 200,
  assumptions: 200,
  refs: 500,
} as const;

/** What `carry_fields` may name: the parts of a result that can travel to later stages. */
export const carryFields = [
  "decisions_made",
  "risks_identified",
  "assumptions_made",
  "rollback_notes",
  "summary",
] as const;

/** Whole items are left out, the least important first; text is never cut in the middle. */
export function assembleContext(sources: ContextSources): AssembledContext {
  const omitted: string[] = [];
  const refs = keep(
    carriedRefs(sources),
    contextLimits.refs,
    "reference",
    ({ uriOrLocator }) => uriOrLocator,
    omitted,
  );
  if (sources.level === ContextLevel.MINIMAL) return { contextIn: undefined, refs, omitted };
  const decisions = keep(carriedDecisions(sources), contextLimits.decisions, "decision", nameOf, omitted);
  // Written out and not left to `create`: every attempt has one.
  const contextIn: ContextIn = {
    $typeName: "vasini.agent.v1.ContextIn",
    sharedContext: "",
    taskDelta: "",
    decisionMemo: { $typeName: "vasini.agent.v1.DecisionMemo", decisions: [...decisions] },
    criticalSnippets: snippets(sources, omitted),
    unresolvedAssumptions: [],
    ...(sources.level === ContextLevel.RICH && richParts(sources, omitted)),
  };
  return { contextIn, refs, omitted };
}

/** Only what the propagation lets through: by mode, by flag, and by the list of fields when there is one. */
function carries({ propagation }: ContextSources, field: (typeof carryFields)[number]): boolean {
  if (propagation.mode === ContextPropagationMode.NONE) return false;
  return propagation.carryFields.length === 0 || propagation.carryFields.includes(field);
}

function carriedRefs(sources: ContextSources): readonly Ref[] {
  if (!sources.propagation.carryArtifacts || sources.propagation.mode === ContextPropagationMode.NONE) {
    return sources.refs;
  }
  if (sources.prior.every(({ result }) => result.artifacts.length === 0)) return sources.refs;
  const artifacts = sources.prior.flatMap(({ result, commit }) =>
    result.artifacts.map(({ path, digest }) =>
      create(RefSchema, {
        uriOrLocator: path,
        digest,
        versionOrSha: commit ?? result.commitSha,
        refType: RefType.ARTIFACT,
      }),
    ),
  );
  const seen = new Set(sources.refs.map(({ uriOrLocator }) => uriOrLocator));
  return [
    ...sources.refs,
    ...artifacts.filter(({ uriOrLocator }) => !seen.has(uriOrLocator) && seen.add(uriOrLocator)),
  ];
}

/** Risks travel in the memo too: it is the one part of the context that every level but the least has. */
function carriedDecisions(sources: ContextSources): readonly Decision[] {
  const given = sources.given?.decisionMemo?.decisions ?? [];
  const { carryDecisions, carryRisks } = sources.propagation;
  const carried = sources.prior.flatMap(({ stageId, result: { contextOut } }) => [
    ...(carryDecisions && carries(sources, "decisions_made") ? (contextOut?.decisionsMade ?? []) : []),
    ...(carryRisks && carries(sources, "risks_identified") ? (contextOut?.risksIdentified ?? []) : []).map(
      (risk, index) =>
        create(DecisionSchema, {
          decisionId: `${stageId}/risk-${index + 1}`,
          description: `Risk: ${risk}`,
          sourceTask: stageId,
        }),
    ),
  ]);
  return [...given, ...carried];
}

function snippets({ given }: ContextSources, omitted: string[]) {
  const fitting = (given?.criticalSnippets ?? []).filter((snippet) => {
    const fits = lengthOf(snippet.content) <= contextLimits.snippet;
    if (!fits) omitted.push(`snippet ${snippet.path}: longer than ${contextLimits.snippet}`);
    return fits;
  });
  return [...keep(fitting, contextLimits.snippets, "snippet", ({ path }) => path, omitted)];
}

function richParts(sources: ContextSources, omitted: string[]) {
  const { given, prior } = sources;
  const rollback = carries(sources, "rollback_notes")
    ? prior.flatMap(({ stageId, result: { contextOut } }) =>
        contextOut?.rollbackNotes ? [`How to undo "${stageId}": ${contextOut.rollbackNotes}`] : [],
      )
    : [];
  const summaries = carries(sources, "summary")
    ? prior.flatMap(({ stageId, result: { status } }) =>
        status?.summary ? [`"${stageId}": ${status.summary}`] : [],
      )
    : [];
  const assumed = carries(sources, "assumptions_made")
    ? prior.flatMap(({ result: { contextOut } }) => contextOut?.assumptionsMade ?? [])
    : [];
  const assumptions = [...(given?.unresolvedAssumptions ?? []), ...assumed];
  return {
    sharedContext: join(
      [given?.sharedContext ?? "", ...summaries],
      contextLimits.sharedContext,
      "shared context",
      omitted,
    ),
    taskDelta: join([given?.taskDelta ?? "", ...rollback], contextLimits.taskDelta, "task delta", omitted),
    unresolvedAssumptions: [
      ...keep(assumptions, contextLimits.assumptions, "assumption", (text) => text, omitted),
    ],
  };
}

function keep<Item>(
  items: readonly Item[],
  most: number,
  kind: string,
  name: (item: Item) => string,
  omitted: string[],
): readonly Item[] {
  if (items.length <= most) return items;
  for (const item of items.slice(most))
    omitted.push(`${kind} ${name(item).slice(0, 200)}: more than ${most}`);
  return items.slice(0, most);
}

/** Paragraphs from the most important one on, as many as fit whole. */
function join(paragraphs: readonly string[], limit: number, kind: string, omitted: string[]): string {
  let text = "";
  for (const paragraph of paragraphs.filter((one) => one !== "")) {
    const longer = text === "" ? paragraph : `${text}\n\n${paragraph}`;
    if (lengthOf(longer) <= limit) text = longer;
    else omitted.push(`${kind} "${paragraph.slice(0, 60)}": does not fit into ${limit}`);
  }
  return text;
}

function nameOf({ decisionId, description }: Decision): string {
  return decisionId || description;
}

/** Code points, which is what the contract counts. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}
