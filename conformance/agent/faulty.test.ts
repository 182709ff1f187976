/** The suite is worth what it finds: a deliberately broken agent fails the cases that its faults belong to. */
import { fileURLToPath } from "node:url";
import { firstLine } from "@baton/runtime/testing";
import { describe, it } from "vitest";
import { limits } from "./limits.ts";
import { checkAgent } from "./suite.ts";
import type { Fault } from "./testing/faulty/faults.ts";
import { checkCommand, failuresIn, idsOf, start } from "./testing/start.ts";

const agent = fileURLToPath(new URL("testing/faulty-agent.ts", import.meta.url));

function checkAttached(faults: readonly Fault[], patienceMs = 60_000) {
  const command = [process.execPath, agent, "attached", ...faults];
  return checkCommand(command, { transport: "attached", patienceMs });
}

describe.concurrent("an attached agent", () => {
  it("[TRN-01] that is plain passes all but the case that it does not claim", async ({ expect }) => {
    const reports = await checkAttached([]);
    expect(failuresIn(reports)).toEqual({});
    expect(idsOf(reports, "skip")).toEqual(["safety", "step", "step-again", "step-unknown"]);
  });

  it("[TRN-01] [DIS-14] is found out when it answers twice", async ({ expect }) => {
    const failures = failuresIn(await checkAttached(["answers-twice"]));
    expect(failures["answer-once"]).toBe("expected results: 1; saw 2");
  });

  it("[TRN-01] [DIS-14] is found out when it answers under a wrong attempt", async ({ expect }) => {
    const failures = failuresIn(await checkAttached(["wrong-attempt"]));
    expect(Object.keys(failures)).toEqual(["answer", "held"]);
    expect(failures.answer).toBe("expected attempt_number 3; saw 4");
  });

  it("[TRN-01] [DIS-13] is found out when it ignores a cancel", async ({ expect }) => {
    // It is waited for in vain, so not for long; a busy machine may then fail other cases too.
    const failures = failuresIn(await checkAttached(["ignores-cancel"], 1_000));
    for (const id of ["cancel", "cancel-again", "cancel-ended", "cancel-unknown"]) {
      expect(failures[id]).toMatch(
        /^expected an answer to the cancel of .*; saw nothing of it within 1000 ms$/,
      );
    }
  });

  it("[TRN-01] [DIS-15] is found out when it runs a duplicate again", async ({ expect }) => {
    const failures = failuresIn(await checkAttached(["runs-duplicates"]));
    expect(Object.keys(failures)).toEqual(["run-once", "repeat"]);
    expect(failures["run-once"]).toBe("expected tasks begun after this one: 2; saw 4");
  });

  it("[TRN-01] [PIP-11] is found out when it forgets results with its stream", async ({ expect }) => {
    const failures = failuresIn(await checkAttached(["forgets-results"]));
    expect(Object.keys(failures)).toEqual(["held", "send-again", "new-session"]);
    expect(failures["send-again"]).toMatch(
      /^expected the result again, under the number \d+; saw undefined$/,
    );
  });

  it("[TRN-01] [DIS-03] [DIS-13] is found out in every case that it fails", async ({ expect }) => {
    const failures = failuresIn(
      await checkAttached(
        [
          ...(["answers-after-cancel", "ignores-the-timeout", "sends-everything-again"] as const),
          ...(["speaks-early", "ignores-the-interval", "comes-back", "names-no-instance"] as const),
        ],
        limits.patienceMs,
      ),
    );
    expect(failures).toMatchObject({
      arrival: expect.stringContaining("hello.heartbeat.instance_id"),
      cancel: "expected no result; saw OUTCOME_SUCCESS",
      timeout: "expected OUTCOME_RETRYABLE_FAILURE; saw OUTCOME_SUCCESS",
      deadline: "expected a refusal, or OUTCOME_RETRYABLE_FAILURE; saw OUTCOME_SUCCESS",
      resume: expect.stringContaining("heartbeat before the welcome"),
      acknowledged: expect.stringContaining("it among them"),
      stored: expect.stringContaining("saw result"),
      heartbeats: expect.stringMatching(/saw [01] within/),
      "shut-out": expect.stringContaining("saw another hello"),
    });
  });
});

describe.concurrent("an agent that is called over HTTP, by its address alone", () => {
  async function checkCalled(faults: readonly Fault[]) {
    const program = start([process.execPath, agent, "http-json", ...faults]);
    try {
      const address = await firstLine(program.child);
      return await checkAgent({ transport: "http-json", address, capacity: 2, patienceMs: 60_000 });
    } finally {
      await program.end();
    }
  }

  it("[TRN-01] without options passes, except for what it does not report", async ({ expect }) => {
    const reports = await checkCalled([]);
    expect(failuresIn(reports)).toEqual({});
    expect(idsOf(reports, "skip")).toEqual([
      ...[
        "manifest",
        "heartbeat",
        "safety",
        "step",
        "step-again",
        "step-unknown",
        "endpoint",
        "lease",
        "token",
      ],
    ]);
  });

  it("[TRN-01] [DIS-13] [DIS-14] [DIS-15] is found out in every case that it fails", async ({ expect }) => {
    const faults = ["answers-twice", "wrong-attempt", "ignores-cancel", "runs-duplicates"] as const;
    expect(failuresIn(await checkCalled(faults))).toMatchObject({
      answer: expect.stringContaining("expected attempt_number 3; saw 4"),
      "answer-once": expect.stringContaining("a result after the result"),
      "run-once": expect.stringContaining("expected tasks begun after this one: 2; saw 4"),
      cancel: expect.stringContaining("expected the call to end without a result; saw OUTCOME_SUCCESS"),
      "call-again": expect.stringContaining("expected the run that the second caller receives:"),
    });
  });
});
