import { AuditEventType, CancelReason, Outcome, SafetyContextSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { countsAsUsed, countsSteps, describeForbiddenUse } from "./enforce-safety.ts";

const safety = create(SafetyContextSchema, {
  toolAllowlist: ["git", "node", "Bash"],
  toolDenylist: ["curl"],
  prohibitedActions: ["git push", "deploy"],
});
const why = (name: string, given = {}) => describeForbiddenUse(safety, { name, arguments: given });

describe("a tool", () => {
  it("[DIS-16] is held against the lists: what is denied, and what is not allowed where something is", () => {
    expect(why("node", { args: ["--test"] })).toBeUndefined();
    expect(why("curl")).toBe('the agent used "curl", which is on the deny list');
    expect(why("/usr/bin/curl")).toBe('the agent used "/usr/bin/curl", which is on the deny list');
    expect(why("python")).toBe('the agent used "python", which is not on the allow list');
    expect(why("./node")).toBe('the agent used "./node", which is not on the allow list');
    expect(describeForbiddenUse(undefined, { name: "curl", arguments: {} })).toBeUndefined();
  });

  it("[DIS-16] is held against prohibited actions by its first words, also within a line of commands", () => {
    expect(why("git", { args: ["status"] })).toBeUndefined();
    expect(why("git", { args: ["pushed"] })).toBeUndefined();
    expect(why("git", { args: ["push", "--force"] })).toBe('the agent did "git push", which is prohibited');
    expect(why("Bash", { command: "cd app && git  push origin" })).toBe(
      'the agent did "git push", which is prohibited',
    );
    expect(why("Bash", { command: "echo git push" })).toBeUndefined();
  });
});

it("[DIS-16] a call counts when it begins; of one that restrains itself, when it has succeeded", () => {
  const reported = ["invoked", "succeeded", "failed"] as const;
  expect(reported.map((one) => countsAsUsed({}, one))).toEqual([true, false, false]);
  expect(reported.map((one) => countsAsUsed({ restrained: true }, one))).toEqual([false, true, false]);
  expect([countsSteps({}), countsSteps({ restrained: true })]).toEqual([true, false]);
});

describe("an agent that does what it must not", () => {
  const used = {
    type: "steps",
    dispatchId: "p/a/1",
    steps: 1,
    tool: { name: "curl", arguments: {} },
  } as const;

  it("[DIS-16] is cancelled; the stage has failed, a person is asked, and a late answer changes nothing", () => {
    const run = new Run({ task: { safety: { toolDenylist: ["curl"] } } });
    const envelope = run.envelope("a");
    run.give({ ...used, tool: { name: "git", arguments: {} } });
    expect(run.state?.life.status).toBe("RUNNING");
    run.give(used);
    expect(run.state?.life.status).toBe("PAUSED");
    const reason = 'the agent used "curl", which is on the deny list';
    expect(run.state?.stages[0]).toMatchObject({
      status: "FAILED",
      failure: { code: "POLICY_VIOLATED", reason },
    });
    expect(run.commands).toContainEqual(
      expect.objectContaining({ type: "cancel", reason: CancelReason.ABORTED, explanation: reason }),
    );
    const types = run.audit.map(({ eventType }) => eventType);
    expect(types).toContain(AuditEventType.DISPATCH_CANCELLED);
    expect(types).toContain(AuditEventType.ESCALATION);
    run.give({
      type: "result",
      dispatchId: "p/a/1",
      answer: { kind: "unreadable", reason: "late" },
    });
    expect(run.state?.stages[0]?.status).toBe("FAILED");
    expect(envelope.safety?.toolDenylist).toEqual(["curl"]);
  });

  it("[DIS-16] [PIP-05] a policy block always asks a person, whatever the escalation policy lists", () => {
    const handoffPolicy = { escalation: { autoEscalateOnSecurityFlag: ["touches_auth"] } };
    const given = { stages: stages({ a: { handoffPolicy } }), task: { safety: { toolDenylist: ["curl"] } } };
    const misused = new Run(given);
    misused.give(used);
    const blocked = new Run(given);
    blocked.answer("a", { status: { outcome: Outcome.POLICY_BLOCKED, failureReason: "forbidden" } });
    for (const run of [misused, blocked]) {
      expect(run.state?.life.status).toBe("PAUSED");
      expect(run.openQuestions()).toHaveLength(1);
    }
  });

  it("[DIS-16] security flags ask a person where no escalation policy lists them", () => {
    const safety = { securityFlags: { touchesBilling: true } };
    const run = new Run({ task: { safety } });
    expect(run.openQuestions()).toEqual([
      'stage "a" touches billing, and the policy wants a person to know first',
    ]);
    const stated = { escalation: { autoEscalateOnSecurityFlag: ["touches_auth"] } };
    const other = new Run({ stages: stages({ a: { handoffPolicy: stated } }), task: { safety } });
    expect(other.openQuestions()).toEqual([]);
  });
});
