import {
  AlignmentVerdict,
  AuditEventType,
  PressureLevel,
  ResponseStatus,
  RiskTolerance,
} from "@baton/contract";
import { describe, expect, it } from "vitest";
import { constitutionOf, governance, runChecks } from "../../../testing/governance.ts";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const secret = "the plan of Falcon";

const constitution = constitutionOf({
  principles: [
    {
      key: "pause",
      thresholds: { consulted: 50, deliberated: 80 },
      checks: [{ name: "topic", cel: "task.payload.topic != 'weapons'" }],
    },
  ],
  constraints: [
    {
      name: "No code names",
      patterns: ["(?i)no (code|secret) names"],
      severity: "high",
      checks: [{ name: "names", detect: "banned_phrases", phrases: ["Falcon"], on: "output" }],
    },
    { name: "Second look", checks: [{ name: "look", run: ["check"] }] },
  ],
  consultation: { quorum: ["ethics", "legal", "safety"] },
});

function governed(init: Parameters<typeof governance>[0] = {}, more: object = {}) {
  const task = { governance: governance({ principles: ["pause"], ...init }), inputs: { topic: "birds" } };
  const world = { constitution };
  return new Run(
    { stages: stages({ a: {}, b: { dependsOnStages: ["a"] } }), task: { ...task, ...more } },
    world,
  );
}
const answer = (message: string) => ({
  response: { status: ResponseStatus.SUCCESS, message, data: { citations: ["ubos://books"] } },
});
const report = (run: Run, subject: number) => run.state?.alignments?.get(subject)?.report;
const question = (run: Run) => [...(run.state?.escalations.keys() ?? [])][0] ?? "";
const decide = (run: Run, resolution: string, reason = "it is fine here") =>
  run.give({ type: "resolve", escalationId: question(run), resolution, reason, by: ada });
const consultations = (run: Run) => run.commands.filter(({ type }) => type === "dispatch-review");
function vote(run: Run, number: number, verdict: "VALID" | "NON_CONSTITUTIONAL" | "ESCALATE", subject = -1) {
  const { pipelineId = "" } = report(run, subject)?.consultations[number] ?? {};
  return run.give({
    type: "consulted",
    subject,
    dispatchId: pipelineId,
    verdict,
    notes: secret,
    packId: "x",
  });
}

describe("a governed task", () => {
  it("[SAP-04] is checked before it is sent, and its answer before anything follows from it", () => {
    const run = governed({ constraints: ["No code names"] });
    expect(run.status("a")).toBe("READY");
    expect(run.commands.map(({ type }) => type)).toEqual(["align"]);
    runChecks(run);
    expect(run.status("a")).toBe("DISPATCHED");
    run.answer("a", answer("birds fly"));
    expect(run.status("a")).toBe("DISPATCHED");
    runChecks(run);
    expect(run.status("a")).toBe("COMPLETED");
    expect(report(run, 0)).toMatchObject({
      verdict: AlignmentVerdict.VALID,
      stageId: "a",
      citations: ["ubos://books"],
      constitutionDigest: "d".repeat(64),
      readings: [{ principle: "pause", psi: 0 }],
      checks: [{ principle: "No code names", check: "names", kind: "banned_phrases" }],
    });
  });

  it("[SAP-04] that breaks a rule asks a person, who may end it or let it pass with a reason", () => {
    const run = governed({}, { inputs: { topic: "weapons" } });
    runChecks(run);
    expect(run.openQuestions()).toEqual(['the task violates the constitution: "pause": the rule is false']);
    expect(run.status("a")).toBe("READY");
    decide(run, "approve", "");
    expect(run.problem?.message).toBe("cannot approve without a reason");
    decide(run, "approve");
    expect(run.status("a")).toBe("DISPATCHED");
    expect(report(run, -1)).toMatchObject({
      verdict: AlignmentVerdict.VALID,
      decidedBy: "ada",
      decisionReason: "it is fine here",
      violations: [{ principle: "pause", severity: "medium" }],
    });
    const other = governed({}, { inputs: { topic: "weapons" } });
    runChecks(other);
    decide(other, "reject");
    expect(other.state?.life.status).toBe("FAILED");
    expect(other.audit.some(({ eventType }) => eventType === AuditEventType.DISPATCH_SENT)).toBe(false);
  });

  it("[SAP-04] whose answer breaks a rule leaves nothing of it anywhere but for the person who decides", () => {
    const run = governed({ constraints: ["no secret names, please"] });
    runChecks(run);
    run.answer("a", answer(secret));
    runChecks(run);
    expect(run.openQuestions()).toEqual([
      'the answer of stage "a" violates the constitution: "No code names": contains banned phrase 1 of the list',
    ]);
    expect(run.status("b")).toBe("PENDING");
    decide(run, "reject");
    expect(run.state?.life).toMatchObject({ status: "FAILED" });
    expect(run.state?.stages[0]).toMatchObject({ failure: { code: "NON_CONSTITUTIONAL" } });
    const { stages: rested, life } = run.state ?? {};
    const visible = JSON.stringify([rested, life, run.audit], (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    expect(visible).not.toContain("Falcon");
  });

  it("[SAP-04] whose answer a person lets pass continues with it, and the report keeps the violation", () => {
    const run = governed({ constraints: ["No code names"] });
    runChecks(run);
    run.answer("a", answer(secret));
    runChecks(run);
    decide(run, "approve", "Falcon is public");
    expect(run.status("a")).toBe("COMPLETED");
    expect(report(run, 0)).toMatchObject({ decidedBy: "ada", violations: [{ check: "names" }] });
  });

  it("[SAP-04] a check that fails to run asks a person, and never passes", () => {
    const run = governed({ constraints: ["Second look"] });
    runChecks(run);
    run.answer("a", answer("birds"));
    runChecks(run);
    expect(report(run, 0)?.verdict).toBe(AlignmentVerdict.ESCALATE);
    expect(run.openQuestions()[0]).toContain('"Second look" could not be checked: it failed to run');
    expect(run.status("a")).toBe("DISPATCHED");
  });

  it("[SAP-04] a rule that reads what is not there asks a person", () => {
    const run = governed({}, { inputs: {} });
    runChecks(run);
    expect(report(run, -1)?.verdict).toBe(AlignmentVerdict.ESCALATE);
    expect(run.openQuestions()[0]).toContain("the rule cannot be evaluated");
  });

  it("[SAP-04] a principle or constraint that the constitution does not know asks a person", () => {
    const run = governed({ principles: ["pause", "kindness"], constraints: ["Be brief"] });
    runChecks(run);
    expect(run.openQuestions()[0]).toContain(
      '"kindness" could not be checked: the constitution does not know it',
    );
    const allowing = { ...constitution, asksAboutUnknown: false };
    const lenient = new Run(
      { task: { governance: governance({ constraints: ["Be brief"] }) } },
      { constitution: allowing },
    );
    expect(lenient.status("a")).toBe("DISPATCHED");
  });
});

describe("the level of a decision", () => {
  const level = (run: Run) => report(run, -1)?.effectiveLevel;
  const pressure = (psi: number) => ({ pressure: [{ principle: "pause", psi }] });

  it("[SAP-04] is the highest of the task's, the constitution's and that of pressure; nothing lowers it", () => {
    expect(level(governed())).toBe(PressureLevel.INSTANT);
    expect(level(governed(pressure(50)))).toBe(PressureLevel.CONSULTED);
    expect(level(governed(pressure(80)))).toBe(PressureLevel.DELIBERATED);
    expect(level(governed({ ...pressure(0), pressureLevel: PressureLevel.DELIBERATED }))).toBe(
      PressureLevel.DELIBERATED,
    );
    const asking = { ...constitution, levels: [{ level: "consulted", territories: ["EU*"] } as const] };
    const inEurope = new Run(
      { task: { governance: governance({ territory: "EUFM" }) } },
      { constitution: asking },
    );
    expect(report(inEurope, -1)).toMatchObject({
      effectiveLevel: PressureLevel.CONSULTED,
      levelReason: "the constitution asks for it",
    });
  });

  it("[SAP-04] follows thresholds that the risk tolerance shifts by 15", () => {
    expect(level(governed({ ...pressure(36), riskTolerance: RiskTolerance.LOW }))).toBe(
      PressureLevel.CONSULTED,
    );
    expect(level(governed({ ...pressure(34), riskTolerance: RiskTolerance.LOW }))).toBe(
      PressureLevel.INSTANT,
    );
    expect(level(governed({ ...pressure(64), riskTolerance: RiskTolerance.HIGH }))).toBe(
      PressureLevel.INSTANT,
    );
    expect(level(governed({ ...pressure(65), riskTolerance: RiskTolerance.HIGH }))).toBe(
      PressureLevel.CONSULTED,
    );
  });

  it("[SAP-04] consulted also asks an agent by ordinary dispatch, with everything as data", () => {
    const run = governed({ pressureLevel: PressureLevel.CONSULTED });
    runChecks(run);
    const [command] = consultations(run);
    if (command?.type !== "dispatch-review") throw new Error("nobody is consulted");
    const { submission } = command;
    expect(submission.stages[0]).toMatchObject({ taskType: "consult.align", config: { packId: "" } });
    expect(submission.task.governance).toBeUndefined();
    expect(submission.task.inputs).toMatchObject({
      task: { payload: { topic: "birds" } },
      rules: [{ name: "pause" }, { name: "No code names" }, { name: "Second look" }],
      findings: [{ principle: "pause", check: "topic" }],
    });
    expect(submission.task.contract?.acceptanceCriteria.join(" ")).toContain("no instruction to you");
    expect(run.status("a")).toBe("READY");
    vote(run, 0, "VALID");
    vote(run, 0, "NON_CONSTITUTIONAL"); // Counts once.
    expect(run.status("a")).toBe("DISPATCHED");
    expect(report(run, -1)?.consultations).toMatchObject([{ packId: "x", verdict: AlignmentVerdict.VALID }]);
  });

  it("[SAP-04] a consulted agent that refuses, or has no verdict, asks a person, without its words", () => {
    for (const verdict of ["NON_CONSTITUTIONAL", "ESCALATE"] as const) {
      const run = governed({ pressureLevel: PressureLevel.CONSULTED });
      runChecks(run);
      vote(run, 0, verdict);
      expect(report(run, -1)?.verdict).toBe(AlignmentVerdict[verdict]);
      expect(run.openQuestions()).toHaveLength(1);
      expect(run.openQuestions().join()).not.toContain(secret);
    }
  });

  it("[SAP-04] deliberated asks a quorum of distinct packs; a disagreement asks a person", () => {
    const run = governed({ pressureLevel: PressureLevel.DELIBERATED });
    runChecks(run);
    const packs = consultations(run).map((one) =>
      one.type === "dispatch-review" ? one.submission.stages[0]?.config?.packId : "",
    );
    expect(packs).toEqual(["ethics", "legal", "safety"]);
    vote(run, 0, "VALID");
    vote(run, 1, "VALID");
    expect(run.status("a")).toBe("READY");
    vote(run, 2, "NON_CONSTITUTIONAL");
    expect(report(run, -1)?.verdict).toBe(AlignmentVerdict.ESCALATE);
    expect(run.openQuestions()).toHaveLength(1);
    const agreeing = governed({ pressureLevel: PressureLevel.DELIBERATED });
    runChecks(agreeing);
    for (const number of [0, 1, 2]) vote(agreeing, number, "VALID");
    expect(agreeing.status("a")).toBe("DISPATCHED");
  });

  it("[SAP-04] deliberated by majority bears a dissent, and not one that asks for a person", () => {
    const rule = { ...constitution.consultation, quorumRule: "majority" as const };
    const byMajority = (third: "NON_CONSTITUTIONAL" | "ESCALATE") => {
      const run = governed({ pressureLevel: PressureLevel.DELIBERATED });
      run.world = { ...run.world, constitution: { ...constitution, consultation: rule } };
      runChecks(run);
      for (const [number, verdict] of (["VALID", "VALID", third] as const).entries())
        vote(run, number, verdict);
      return run.status("a");
    };
    expect(byMajority("NON_CONSTITUTIONAL")).toBe("DISPATCHED");
    expect(byMajority("ESCALATE")).toBe("READY");
  });

  it("[SAP-04] deliberated without a quorum in the constitution asks a person, also without any constitution", () => {
    const run = new Run({ task: { governance: governance({ pressureLevel: PressureLevel.DELIBERATED }) } });
    expect(run.openQuestions()[0]).toContain("nobody could be consulted");
    expect(run.status("a")).toBe("READY");
  });

  it("[SAP-04] a consultation is never itself consulted about", () => {
    const task = governance({ capability: "consult.align", pressureLevel: PressureLevel.CONSULTED });
    const run = new Run({ task: { governance: task } }, { constitution });
    expect(consultations(run)).toEqual([]);
    expect(run.status("a")).toBe("DISPATCHED");
  });

  it("[SAP-04] withdraws consultations of a run that is aborted", () => {
    const run = governed({ pressureLevel: PressureLevel.DELIBERATED });
    runChecks(run);
    run.give({ type: "abort", reason: "no need", by: ada });
    expect(run.commands.filter(({ type }) => type === "withdraw-review")).toHaveLength(3);
  });
});

describe("the issuer of a task", () => {
  const issuing = constitutionOf({
    issuers: [{ capabilities: ["report.*"], agent_ids: ["plan*"], kinds: ["agent"] }],
  });
  const submit = (init: Parameters<typeof governance>[0]) =>
    new Run({ task: { governance: governance(init) } }, { constitution: issuing }).problem;

  it("[SAP-09] may issue the capabilities that the constitution grants, and no others", () => {
    expect(submit({ capability: "report.write" })).toBeUndefined();
    expect(submit({ capability: "pay.send" })).toMatchObject({
      code: "BATON-GOVERNANCE-001",
      at: "governance.issuer.agent_id",
      message: '"planner" may not issue "pay.send"',
    });
    expect(submit({ capability: "report.write", issuer: { agentId: "mallory", kind: 3 } })).toBeDefined();
    expect(submit({ capability: "report.write", issuer: { agentId: "planner", kind: 1 } })).toBeDefined();
  });

  it("[SAP-04] a task that is not governed is not checked", () => {
    const run = new Run({}, { constitution: issuing });
    expect(run.status("a")).toBe("DISPATCHED");
    expect(run.state?.alignments).toBeUndefined();
  });
});
