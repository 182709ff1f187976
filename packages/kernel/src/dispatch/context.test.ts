import {
  AgentResultSchema,
  ContextInSchema,
  ContextLevel,
  ContextPropagationMode,
  RefSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../testing/init.ts";
import type { PropagationRules } from "../pipeline/plan.ts";
import { assembleContext, type ContextSources, contextLimits } from "./context.ts";

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
    expect(assemble({ level: ContextLevel.MINIMAL }).contextIn).toBeUndefined();
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

  it("[DIS-10] leaves out the last of too many decisions", () => {
    const decisions = Array.from({ length: 210 }, (_, index) => ({ decisionId: `d${index}` }));
    const { contextIn, omitted } = assemble({
      given: create(ContextInSchema, { decisionMemo: { decisions } }),
      prior: [],
    });
    expect(contextIn?.decisionMemo?.decisions).toHaveLength(contextLimits.decisions);
    expect(omitted).toHaveLength(10);
  });
});
