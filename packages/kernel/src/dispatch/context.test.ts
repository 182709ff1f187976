import {
  AgentResultSchema,
  ContextInSchema,
  ContextLevel,
  ContextPropagationMode,
  RefSchema,
  ReviewFeedbackSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../testing/init.ts";
import { assembleContext, type ContextSources, contextLimits, type PropagationRules } from "./context.ts";

const carryAll: PropagationRules = {
  mode: ContextPropagationMode.CUMULATIVE,
  carryFields: [],
  carryArtifacts: true,
  carryDecisions: true,
  carryRisks: true,
};
const given = create(ContextInSchema, {
  sharedContext: "shared",
  taskDelta: "delta",
  decisionMemo: { decisions: [{ decisionId: "d0" }] },
  criticalSnippets: [{ path: "a.ts", content: "x" }],
  unresolvedAssumptions: ["given"],
});
const prior = (stageId: string, init: Init<typeof AgentResultSchema> = {}) => ({
  stageId,
  result: create(AgentResultSchema, {
    status: { summary: `${stageId} is done` },
    artifacts: [{ path: `${stageId}.ts`, digest: `sha256:${stageId}` }],
    contextOut: {
      decisionsMade: [{ decisionId: `d-${stageId}` }],
      risksIdentified: [`risk of ${stageId}`],
      assumptionsMade: [`assumption of ${stageId}`],
      rollbackNotes: `revert ${stageId}`,
    },
    ...init,
  }),
});
const assemble = (sources: Partial<ContextSources> = {}) =>
  assembleContext({
    level: ContextLevel.RICH,
    propagation: carryAll,
    given,
    refs: [create(RefSchema, { uriOrLocator: "src/it.ts" })],
    prior: [prior("review"), prior("implement")],
    ...sources,
  });

describe("context levels", () => {
  it("[DIS-10] MINIMAL carries contract, trace, safety and references only", () => {
    const { contextIn, omitted } = assemble({ level: ContextLevel.MINIMAL });
    expect(contextIn).toBeUndefined();
    expect(omitted).toEqual([
      "decision_memo (5 items): not part of the context level MINIMAL",
      "critical_snippets (1 item): not part of the context level MINIMAL",
      "shared_context (3 items): not part of the context level MINIMAL",
      "task_delta (3 items): not part of the context level MINIMAL",
      "unresolved_assumptions (3 items): not part of the context level MINIMAL",
    ]);
  });

  it("[DIS-10] LAYERED adds decisions and snippets, and nothing else", () => {
    const { contextIn } = assemble({ level: ContextLevel.LAYERED });
    expect(contextIn?.decisionMemo?.decisions.length).toBeGreaterThan(0);
    expect(contextIn?.criticalSnippets).toHaveLength(1);
    expect([contextIn?.sharedContext, contextIn?.taskDelta, contextIn?.unresolvedAssumptions]).toEqual([
      "",
      "",
      [],
    ]);
  });

  it("[DIS-10] RICH adds shared context, task delta and assumptions", () => {
    const { contextIn } = assemble();
    expect(contextIn?.sharedContext).toBe(
      'shared\n\n"review": review is done\n\n"implement": implement is done',
    );
    expect(contextIn?.taskDelta).toContain('How to undo "implement": revert implement');
    expect(contextIn?.unresolvedAssumptions).toEqual([
      "given",
      "assumption of review",
      "assumption of implement",
    ]);
  });
});

describe("propagation", () => {
  const memo = (propagation: Partial<PropagationRules>) =>
    assemble({ propagation: { ...carryAll, ...propagation } }).contextIn?.decisionMemo?.decisions.map(
      ({ decisionId, description }) => description || decisionId,
    );

  it("[PIP-04] NONE starts clean", () => {
    const context = assemble({ propagation: { ...carryAll, mode: ContextPropagationMode.NONE } });
    expect(context.contextIn?.decisionMemo?.decisions.map(({ decisionId }) => decisionId)).toEqual(["d0"]);
    expect(context.contextIn?.unresolvedAssumptions).toEqual(["given"]);
    expect(context.refs).toHaveLength(1);
  });

  it("[PIP-04] carries decisions and risks as the flags say", () => {
    expect(memo({})).toEqual([
      "d0",
      "d-review",
      "Risk: risk of review",
      "d-implement",
      "Risk: risk of implement",
    ]);
    expect(memo({ carryRisks: false })).toEqual(["d0", "d-review", "d-implement"]);
    expect(memo({ carryDecisions: false })).toEqual([
      "d0",
      "Risk: risk of review",
      "Risk: risk of implement",
    ]);
  });

  it("[PIP-04] carries only the listed fields", () => {
    expect(memo({ carryFields: ["risks_identified"] })).toEqual([
      "d0",
      "Risk: risk of review",
      "Risk: risk of implement",
    ]);
    const { contextIn } = assemble({ propagation: { ...carryAll, carryFields: ["decisions_made"] } });
    expect([contextIn?.sharedContext, contextIn?.taskDelta]).toEqual(["shared", "delta"]);
  });

  it("[PIP-04] carries artifacts as references, each path once", () => {
    const refs = [create(RefSchema, { uriOrLocator: "review.ts" })];
    expect(assemble({ refs }).refs.map(({ uriOrLocator, digest }) => `${uriOrLocator} ${digest}`)).toEqual([
      "review.ts ",
      "implement.ts sha256:implement",
    ]);
    expect(assemble({ refs, propagation: { ...carryAll, carryArtifacts: false } }).refs).toEqual(refs);
  });
});

describe("limits", () => {
  it("[DIS-10] leaves out whole items from the least important, and says which", () => {
    const long = "y".repeat(contextLimits.sharedContext - 20);
    const near = prior("near", { status: { summary: "z" } });
    const far = prior("far", { status: { summary: "f".repeat(100) } });
    const { contextIn, omitted } = assemble({
      given: create(ContextInSchema, { sharedContext: long }),
      prior: [near, far],
    });
    expect(contextIn?.sharedContext).toBe(`${long}\n\n"near": z`);
    expect(omitted).toEqual([`shared context ""far": ${"f".repeat(53)}": does not fit into 32768`]);
  });

  it("[DIS-10] never cuts text in the middle, and counts code points as the contract does", () => {
    const exactly = "\u{1F680}".repeat(contextLimits.snippet);
    const { contextIn, omitted } = assemble({
      given: create(ContextInSchema, {
        criticalSnippets: [
          { path: "fits", content: exactly },
          { path: "does-not", content: `${exactly}x` },
        ],
      }),
    });
    expect(contextIn?.criticalSnippets.map(({ path }) => path)).toEqual(["fits"]);
    expect(omitted).toEqual(["snippet does-not: longer than 4096"]);
  });

  it("[DIS-10] keeps the latest of too many decisions, and records the others up to a limit", () => {
    const decisions = Array.from({ length: 210 }, (_, index) => ({ decisionId: `d${index}` }));
    const { contextIn, omitted } = assemble({
      given: create(ContextInSchema, { decisionMemo: { decisions } }),
      prior: [],
    });
    const kept = contextIn?.decisionMemo?.decisions ?? [];
    expect(kept).toHaveLength(contextLimits.decisions);
    expect([kept[0]?.decisionId, kept.at(-1)?.decisionId]).toEqual(["d10", "d209"]);
    expect(omitted).toHaveLength(10);
    const many = Array.from({ length: 1_000 }, (_, index) => ({ decisionId: `d${index}` }));
    const bounded = assemble({ given: create(ContextInSchema, { decisionMemo: { decisions: many } }) });
    expect(bounded.omitted).toHaveLength(51);
    expect(bounded.omitted.at(-1)).toMatch(/^\d+ more items$/);
  });

  it("[DIS-10] bounds all context together, and counts bytes as they are on the wire", () => {
    const half = "\u00e9".repeat(contextLimits.total / 4);
    const stage = (id: string) =>
      prior(id, { contextOut: { decisionsMade: [{ decisionId: id, description: half }] } });
    const { contextIn, omitted } = assemble({ prior: [stage("near"), stage("far")] });
    const kept = contextIn?.decisionMemo?.decisions.map(({ decisionId }) => decisionId);
    expect(kept).toEqual(["d0", "near"]);
    expect(omitted).toEqual(["decision far: does not fit into 1048576 bytes of context"]);
  });

  it("[DIS-10] leaves the earlier attempt's context out of the feedback when there is no room, and keeps the rest", () => {
    const feedback = create(ReviewFeedbackSchema, {
      rejectedByStage: "review",
      instructions: ["do better"],
      priorContext: { decisionsMade: [{ decisionId: "old", description: "x".repeat(2_000_000) }] },
    });
    const context = assemble({ feedback });
    expect(context.feedback).toMatchObject({
      instructions: ["do better"],
      priorContext: { decisionsMade: [] },
    });
    expect(context.omitted).toEqual(["decision old: does not fit into 1048576 bytes of context"]);
    expect(assemble({ feedback, roomBytes: -1 }).refs).toHaveLength(1);
  });
});
