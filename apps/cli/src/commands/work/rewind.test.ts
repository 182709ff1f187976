import {
  ArtifactAction,
  ErrorDetailSchema,
  PipelineStatus,
  type RewindPipelineRequest,
  RewindPreviewSchema,
  RiskKind,
  StageStatus,
  WorkAtRiskSchema,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton, startOnTerminal } from "../../../testing/run-baton.ts";
import { aPipeline, pipelineId } from "../../../testing/sample.ts";

const one = "1111111111111111111111111111111111111111";
const two = "2222222222222222222222222222222222222222";
const branch = `baton/${pipelineId}/implement/2`;

const preview: MessageInitShape<typeof RewindPreviewSchema> = {
  fromRevision: 42n,
  toRevision: 17n,
  statusNow: PipelineStatus.COMPLETED,
  statusThen: PipelineStatus.RUNNING,
  stages: [
    {
      stageId: "implement",
      statusNow: StageStatus.COMPLETED,
      statusThen: StageStatus.DISPATCHED,
      attemptNow: 2,
      attemptThen: 1,
      sentAnew: true,
    },
  ],
  branches: [
    {
      branch,
      commitNow: two,
      keptAs: `refs/baton/abandoned/${pipelineId}/42/implement/2`,
      givenUp: [{ commit: two, subject: "What the agent left" }],
      files: [{ path: "login.ts", action: ArtifactAction.DELETED }],
    },
  ],
};

const foreign = create(WorkAtRiskSchema, {
  ...{ branch, kind: RiskKind.FOREIGN },
  detail: `${one.slice(0, 12)} "my own work"`,
});

/** A hub with a history, and the rewind requests that it received. */
async function hubWithPast(atRisk: (typeof foreign)[] = []) {
  const requests: Omit<RewindPipelineRequest, "$typeName" | "$unknown">[] = [];
  const hub = await startHub({
    orchestrator: {
      getPipeline: () => ({ pipeline: aPipeline() }),
      previewRewind: () => ({ preview: { ...create(RewindPreviewSchema, preview), atRisk } }),
      rewindPipeline: ({ $typeName: _, ...request }) => {
        requests.push(request);
        if (atRisk.length === 0 || request.discard)
          return { pipeline: aPipeline(), done: create(RewindPreviewSchema, preview) };
        const detail = {
          code: "BATON-PIPELINE-008",
          fix: "keep it elsewhere, or rewind again and say to discard it",
        };
        const message = `cannot rewind: "${branch}" has work that the hub did not make`;
        throw new ConnectError(message, Code.FailedPrecondition, undefined, [
          { desc: ErrorDetailSchema, value: create(ErrorDetailSchema, { ...detail, message }) },
        ]);
      },
    },
    inspection: {
      getTransitions: () => ({
        transitions: [
          { revision: 1n, fromStatus: "NONE", toStatus: "RUNNING" },
          {
            revision: 17n,
            stageId: "implement",
            fromStatus: "DISPATCHED",
            toStatus: "COMPLETED",
            commit: one,
          },
          { revision: 42n, fromStatus: "RUNNING", toStatus: "COMPLETED", abandoned: true },
          {
            ...{ revision: 43n, fromStatus: "COMPLETED", toStatus: "RUNNING" },
            ...{ rewoundTo: 17n, by: "ada", reason: "a wrong turn" },
          },
        ],
      }),
    },
  });
  return { hub, requests };
}

const reason = ["--reason", "a wrong turn"];

describe("baton rewind", () => {
  it("[TUR-08] shows stages, commits and files, and rewinds after a yes", async () => {
    const { hub, requests } = await hubWithPast();
    await using _ = hub;
    const run = await runBaton(["rewind", pipelineId, "--to", "17", "--yes", ...reason], { hub: hub.url });
    expect(run.code).toBe(0);
    for (const part of [
      "revision 42 → 17",
      "implement  completed (attempt 2)  →  dispatched (attempt 1)  is sent again",
      `${branch}  ${two.slice(0, 12)} → none`,
      `- ${two.slice(0, 12)} What the agent left`,
      "removes login.ts",
    ])
      expect(run.stdout).toContain(part);
    const request = {
      pipelineId,
      toRevision: 17n,
      fromRevision: 42n,
      reason: "a wrong turn",
      discard: false,
    };
    expect(requests).toEqual([request]);
  });

  it("[TUR-08] is shown in lines that fit on a narrow terminal, with nothing left out", async () => {
    const { hub } = await hubWithPast([foreign]);
    await using _ = hub;
    const args = ["rewind", pipelineId, "--to", "17", "--dry-run"];
    const { stdout } = await runBaton(args, { hub: hub.url, env: { COLUMNS: "60" } });
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(60);
    const wide = await runBaton(args, { hub: hub.url });
    expect(stdout.replaceAll(/\s/g, "")).toBe(wide.stdout.replaceAll(/\s/g, ""));
  });

  it("[TUR-08] asks on a terminal, and changes nothing after a no", async () => {
    const { hub, requests } = await hubWithPast();
    await using _ = hub;
    const asked = startOnTerminal(["rewind", pipelineId, "--to", "17", ...reason], { hub: hub.url });
    await asked.printed("Rewind the run? [y/N]");
    asked.child.stdin?.write("no\n");
    expect((await asked.ended).code).toBe(10);
    expect(requests).toEqual([]);
    const again = startOnTerminal(["rewind", pipelineId, "--to", "17", ...reason], { hub: hub.url });
    await again.printed("Rewind the run? [y/N]");
    again.child.stdin?.write("y\n");
    expect((await again.ended).code).toBe(0);
    expect(requests).toHaveLength(1);
  });

  it("[TUR-08] does nothing where nobody can be asked and nobody said yes, or why", async () => {
    const { hub, requests } = await hubWithPast();
    await using _ = hub;
    const silent = await runBaton(["rewind", pipelineId, "--to", "17", ...reason], { hub: hub.url });
    expect([silent.code, silent.stdout]).toEqual([2, ""]);
    expect(silent.stderr).toContain("--yes");
    const unexplained = await runBaton(["rewind", pipelineId, "--to", "17", "--yes"], { hub: hub.url });
    expect(unexplained.code).toBe(2);
    const nowhere = await runBaton(["rewind", pipelineId, "--to", "end", "--yes", ...reason], {
      hub: hub.url,
    });
    expect(nowhere.stderr).toContain("baton runs transitions");
    expect(requests).toEqual([]);
  });

  it("[TUR-08] names what is at risk and is refused without --discard", async () => {
    const { hub, requests } = await hubWithPast([foreign]);
    await using _ = hub;
    const args = ["rewind", pipelineId, "--to", "17", "--yes", ...reason];
    const refused = await runBaton(args, { hub: hub.url });
    expect(refused.code).toBe(4);
    expect(refused.stdout).toContain("my own work");
    expect(refused.stderr).toContain("BATON-PIPELINE-008");
    expect(refused.stderr).toContain("--discard");
    const done = await runBaton([...args, "--discard"], { hub: hub.url });
    expect(done.code).toBe(0);
    expect(requests.at(-1)).toMatchObject({ discard: true });
  });

  it("[TUR-08] does not promise that --discard helps where a branch is checked out", async () => {
    const looked = create(WorkAtRiskSchema, { branch, kind: RiskKind.CHECKED_OUT, detail: "/home/ada/shop" });
    const { hub } = await hubWithPast([looked]);
    await using _ = hub;
    const refused = await runBaton(["rewind", pipelineId, "--to", "17", "--yes", ...reason], {
      hub: hub.url,
    });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("never moved, not even with --discard");
    expect(refused.stderr).not.toContain("use --discard to continue");
  });

  it("[TUR-08] only looks with --dry-run, and speaks JSON to programs", async () => {
    const { hub, requests } = await hubWithPast();
    await using _ = hub;
    const looked = await runBaton(["rewind", pipelineId, "--to", "17", "--dry-run", "--output", "json"], {
      hub: hub.url,
    });
    expect(JSON.parse(looked.stdout)).toMatchObject({
      preview: { toRevision: "17", branches: [{ branch, givenUp: [{ commit: two }] }] },
    });
    expect(requests).toEqual([]);
    const done = await runBaton(["rewind", pipelineId, "--to", "17", "--yes", ...reason, "-o", "json"], {
      hub: hub.url,
    });
    expect(JSON.parse(done.stdout)).toMatchObject({ pipeline: { pipelineId }, done: { fromRevision: "42" } });
  });
});

describe("baton runs transitions", () => {
  it("[TUR-08] lists what can be named, with commits, what was abandoned, and who went back", async () => {
    const { hub } = await hubWithPast();
    await using _ = hub;
    const run = await runBaton(["runs", "transitions", pipelineId], { hub: hub.url });
    expect(run.stdout).toMatch(/17 +implement +dispatched +→ completed +1{12}/);
    expect(run.stdout).toMatch(/42 +the run .*abandoned/);
    expect(run.stdout).toContain("rewound to 17 by ada: a wrong turn");
    const lines = await runBaton(["runs", "transitions", pipelineId, "-o", "jsonl"], { hub: hub.url });
    expect(JSON.parse(lines.stdout.split("\n")[1] ?? "")).toMatchObject({ revision: "17", commit: one });
  });

  it("[TUR-08] [PIP-02] names each revision once, with retries, and with why work was sent back", async () => {
    const steps = {
      revision: 9n,
      stageId: "implement",
      reason: "review: accents get lost",
      attemptNumber: 3,
    };
    const again = {
      stageId: "implement",
      fromStatus: "DISPATCHED",
      toStatus: "DISPATCHED",
      attemptNumber: 2,
    };
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }), listEscalations: () => ({}) },
      inspection: {
        getTransitions: () => ({
          transitions: [
            { ...again, revision: 5n, reason: "implement: tests failed" },
            { ...again, revision: 6n, dispatchId: "d-2" },
            { ...steps, fromStatus: "COMPLETED", toStatus: "REJECTED", commit: one },
            { ...steps, fromStatus: "REJECTED", toStatus: "READY" },
            { ...steps, stageId: "review", fromStatus: "DISPATCHED", toStatus: "PENDING" },
          ],
        }),
      },
    });
    const listed = await runBaton(["runs", "transitions", pipelineId], { hub: hub.url });
    const [, ...rows] = listed.stdout.trimEnd().split("\n");
    expect(rows.map((row) => row.trim().replaceAll(/ {2,}/g, "  "))).toEqual([
      "5  implement  dispatched  → dispatched  to be tried again: implement: tests failed",
      "6  implement  dispatched  → dispatched  attempt 2 is sent",
      `9  implement  completed  → rejected → ready  ${one.slice(0, 12)}  review: accents get lost, review → pending`,
    ]);
    const view = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(view.stdout).toContain(
      "What was sent back\n" +
        "    implement, attempt 1  implement: tests failed\n" +
        "    implement, attempt 2  review: accents get lost\n",
    );
  });

  it("[TUR-08] [PIP-08] names the attempt that was sent back, not the one which a rewind set aside before", async () => {
    const at = (
      revision: bigint,
      fromStatus: string,
      toStatus: string,
      attemptNumber: number,
      more = {},
    ) => ({
      ...{ revision, stageId: "implement", fromStatus, toStatus, attemptNumber, ...more },
    });
    const why = { reason: "review: too slow" };
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }), listEscalations: () => ({}) },
      inspection: {
        getTransitions: () => ({
          transitions: [
            at(9n, "DISPATCHED", "COMPLETED", 2),
            at(12n, "COMPLETED", "REJECTED", 3, { reason: "review: accents get lost", abandoned: true }),
            at(12n, "REJECTED", "READY", 3, { abandoned: true }),
            at(15n, "DISPATCHED", "COMPLETED", 3, { abandoned: true }),
            at(20n, "COMPLETED", "COMPLETED", 2, { rewoundTo: 9n, by: "ada", reason: "once more" }),
            at(24n, "COMPLETED", "REJECTED", 4, why),
            at(24n, "REJECTED", "READY", 4, why),
          ],
        }),
      },
    });
    const { stdout } = await runBaton(["runs", "show", pipelineId], { hub: hub.url });
    expect(stdout).toContain("What was sent back\n    implement, attempt 2  review: too slow\n");
  });

  it.each([40, 60, 80, 120])("[TUR-08] prints every reason whole, with %i columns", async (columns) => {
    const why = "accented letters get lost: the slug of Größe is gr-e, and that of naïve is na-ve";
    await using hub = await startHub({
      orchestrator: { getPipeline: () => ({ pipeline: aPipeline() }) },
      inspection: {
        getTransitions: () => ({
          transitions: [
            {
              revision: 9n,
              stageId: "implement",
              fromStatus: "COMPLETED",
              toStatus: "REJECTED",
              reason: why,
            },
            { revision: 9n, stageId: "implement", fromStatus: "REJECTED", toStatus: "READY" },
            { revision: 12n, fromStatus: "RUNNING", toStatus: "PAUSED", by: "ada", reason: "lunch" },
          ],
        }),
      },
    });
    const env = { COLUMNS: String(columns), NO_COLOR: "1" };
    const { stdout } = await runBaton(["runs", "transitions", pipelineId], { hub: hub.url, env });
    const output = stdout.replaceAll(/\s+/g, " ");
    for (const word of why.split(" ")) expect(output).toContain(word);
    if (columns >= 60) expect(stdout).toMatch(/^REVISION {2}STAGE/);
    if (columns <= 60) expect(output).toContain(why);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    for (const sign of ["…", "\u001b"]) expect(stdout).not.toContain(sign);
    const piped = await runBaton(["runs", "transitions", pipelineId], { hub: hub.url });
    expect(piped.stdout).toMatch(/implement +completed +→ rejected → ready +accented .* is na-ve\n/);
  });
});
