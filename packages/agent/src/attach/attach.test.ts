import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http2";
import { CancelOutcome, HealthStatus, Outcome, StepSchema, StepState, schemaVersion } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { envelope } from "../../testing/index.ts";
import type { AgentError } from "../agent-error.ts";
import type { Task } from "../api/task.ts";
import { startAgent } from "./start-agent.ts";
import { endAll, gate, start, startHub } from "./testing/attached.ts";

afterEach(endAll);

describe("attaching", () => {
  it("[DIS-02] sends hello with manifest, identity and heartbeat", async () => {
    const hub = await startHub();
    const { agent, stream } = await start(hub, { tools: ["npm"], capacity: 3, key: "secret" });
    expect(stream.helloSequence).toBe(1n);
    expect(stream.hello.resumeSessionId).toBe("");
    expect(stream.hello.manifest).toMatchObject({
      packId: "qa-engineer",
      packVersion: "1.0.0",
      capabilitySchemaVersion: "1.0.0",
      supportedTaskTypes: ["write-tests"],
      providedTools: ["npm"],
      interface: {
        supportedSchemaVersions: [`^${schemaVersion}`],
        acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
      },
    });
    expect(stream.hello.heartbeat).toMatchObject({
      packId: "qa-engineer",
      instanceId: agent.instanceId,
      capacity: { activeTasks: 0, maxTasks: 3, queuedTasks: 0 },
      health: { status: HealthStatus.HEALTHY, errorRate1m: 0 },
    });
    expect(stream.headers.get("authorization")).toBe("Bearer secret");
    expect(agent.state).toBe("attached");
    expect(agent.sessionId).toBe("session-1");
  });

  it("[DIS-03] sends numbered heartbeats at the interval of the welcome", async () => {
    const hub = await startHub({ heartbeatMs: 50 });
    const { stream } = await start(hub);
    const first = await stream.next("heartbeat");
    const second = await stream.next("heartbeat");
    expect([first.sequence, second.sequence]).toEqual([2n, 3n]);
    expect(first.value.leaseTtl).toMatchObject({ nanos: 150_000_000 });
  });

  it.each([Code.InvalidArgument, Code.Unauthenticated, Code.PermissionDenied, Code.FailedPrecondition])(
    "stops with the hub's reason when hello is refused permanently (code %i)",
    async (code) => {
      const hub = await startHub({ refuse: () => new ConnectError("not you", code) });
      await expect(start(hub, { key: "secret" })).rejects.toMatchObject({
        code: "BATON-SDK-002",
        at: hub.address,
        message: "the hub refused the agent: not you",
      });
    },
  );

  it("stops when a proxy refuses it without gRPC", async () => {
    const proxy = createServer((_, response) => response.writeHead(403).end("{}"));
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    onTestFinished(() => void proxy.close());
    const address = proxy.address();
    const hub = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
    const run = () => Promise.reject(new Error("it has no task"));
    const agent = {
      pack: "qa",
      version: "1.0.0",
      taskTypes: ["write-tests"],
      hub,
      run,
      handleSignals: false,
    };
    await expect(startAgent(agent)).rejects.toMatchObject({
      code: "BATON-SDK-002",
      message: "the hub refused the agent: HTTP 403",
    });
  });

  it("retries while the hub is unreachable or not ready", async () => {
    let refusals = 3;
    const notReady = () => new ConnectError("starting", Code.Unavailable);
    const hub = await startHub({ refuse: () => (refusals-- > 0 ? notReady() : undefined) });
    const { problems } = await start(hub);
    expect(problems).toMatchObject([{ code: "BATON-SDK-015" }]);
    expect(problems[0]?.message).toContain("starting");
  });

  it("gives up after giveUpAfterMs", async () => {
    const hub = await startHub({ refuse: () => new ConnectError("starting", Code.Unavailable) });
    await expect(start(hub, { giveUpAfterMs: 1 })).rejects.toMatchObject({ code: "BATON-SDK-003" });
  });
});

describe("a task", () => {
  it("[DIS-14] is answered with its own ids and trace", async () => {
    const hub = await startHub({ acknowledges: false });
    const { agent, stream } = await start(hub);
    const task = envelope({ taskId: "t", dispatchId: "p/t/1", attemptNumber: 2 });
    stream.dispatch(task);
    const { value, dispatchId, sequence } = await stream.next("result");
    expect(dispatchId).toBe("p/t/1");
    expect(value).toMatchObject({
      taskId: "t",
      dispatchId: "p/t/1",
      attemptNumber: 2,
      trace: { traceId: task.trace?.traceId, parentSpanId: task.trace?.spanId, agentId: agent.instanceId },
      status: { outcome: Outcome.SUCCESS, summary: "done" },
    });
    expect(agent.unacknowledged).toBe(1);
    stream.acknowledge(sequence);
    await agent.close();
    expect(agent.unacknowledged).toBe(0);
  });

  it("publishes turns and events as they happen, before the result", async () => {
    const hub = await startHub();
    const { stream } = await start(hub, {
      run: (task) => {
        task.think("let me see");
        task.turn({ confidence: 0.8, action: "look" });
        return task.success("seen");
      },
    });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const kinds: unknown[] = [];
    for (let kind = ""; kind !== "result"; ) {
      const { message, dispatchId, sequence } = await stream.received.take();
      kind = message.case ?? "";
      kinds.push([kind, dispatchId, sequence]);
    }
    expect(kinds).toEqual([
      ["event", "d", 2n],
      ["event", "d", 3n],
      ["turn", "d", 4n],
      ["result", "d", 5n],
    ]);
  });

  it("[DIS-13] is acknowledged as stopped, without a result, when it is cancelled", async () => {
    const hub = await startHub();
    const signals: AbortSignal[] = [];
    const { stream } = await start(hub, {
      run: async (task) => {
        signals.push(task.signal);
        stream.cancel("d", "the stage was rewound");
        await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
        return task.success("too late");
      },
    });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const { value, dispatchId } = await stream.next("cancelled");
    expect([dispatchId, value.outcome]).toEqual(["d", CancelOutcome.STOPPED]);
    expect(signals[0]?.reason).toMatchObject({ why: "cancelled", message: "the stage was rewound" });
    stream.dispatch(envelope({ dispatchId: "next" }));
    stream.cancel("next");
    expect((await stream.received.take()).message.case).toBe("cancelled");
  });

  it("[DIS-13] that ended or is unknown cannot be cancelled", async () => {
    const hub = await startHub();
    const { stream } = await start(hub);
    stream.dispatch(envelope({ dispatchId: "d" }));
    await stream.next("result");
    stream.cancel("d");
    stream.cancel("never seen");
    expect((await stream.next("cancelled")).value.outcome).toBe(CancelOutcome.ALREADY_ENDED);
    expect((await stream.next("cancelled")).value.outcome).toBe(CancelOutcome.UNKNOWN);
  });

  it("[DIS-13] is answered as a retryable failure when it times out", async () => {
    const hub = await startHub();
    const { stream } = await start(hub, {
      run: async (task) => {
        await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
        return task.success("too late");
      },
    });
    stream.dispatch(envelope({ dispatchId: "d", timeoutMs: 20 }));
    expect((await stream.next("result")).value.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "DEADLINE_EXCEEDED",
    });
  });

  it("[DIS-15] runs once however often it is sent, and its result is resent", async () => {
    const hub = await startHub({ acknowledges: false });
    const work = gate();
    const { stream } = await start(hub, { run: (task) => work.run(task) });
    const task = envelope({ dispatchId: "d" });
    stream.dispatch(task);
    stream.dispatch(task);
    await work.started("d");
    work.release("d");
    const first = await stream.next("result");
    stream.dispatch(task);
    const again = await stream.next("result");
    expect(again).toEqual(first);
    expect(work.runs).toEqual(["d"]);
  });

  it("that breaks a rule of the contract is not run, and onProblem receives it", async () => {
    const hub = await startHub();
    const reported = Promise.withResolvers<AgentError>();
    const { stream } = await start(hub, { onProblem: reported.resolve });
    const broken = envelope({ dispatchId: "d" });
    broken.refs = [];
    stream.dispatch(broken);
    expect(await reported.promise).toMatchObject({ code: "BATON-SDK-018", at: "dispatch d" });
  });
});

describe("capacity", () => {
  it("[DIS-07] runs as many tasks at once as declared, and queues a few", async () => {
    const hub = await startHub({ heartbeatMs: 50 });
    const work = gate();
    const { agent, stream } = await start(hub, { capacity: 2, run: (task) => work.run(task) });
    for (const dispatchId of ["a", "b", "c"]) stream.dispatch(envelope({ dispatchId }));
    await Promise.all([work.started("a"), work.started("b")]);
    expect(work.runs).toEqual(["a", "b"]);
    let { value } = await stream.next("heartbeat");
    while (value.capacity?.queuedTasks !== 1) ({ value } = await stream.next("heartbeat"));
    expect(value.capacity).toMatchObject({ activeTasks: 2, maxTasks: 2, queuedTasks: 1 });
    work.release("a");
    await work.started("c");
    expect(agent.activeTasks).toBe(2);
    for (const id of ["b", "c"]) work.release(id);
  });

  it("is used by a timed-out task until its run() has returned", async () => {
    const hub = await startHub();
    const work = gate();
    const { agent, stream } = await start(hub, { run: (task) => work.run(task) });
    stream.dispatch(envelope({ dispatchId: "late", timeoutMs: 200 }));
    stream.dispatch(envelope({ dispatchId: "next" }));
    await work.started("late");
    expect((await stream.next("result")).value.status?.failureCode).toBe("DEADLINE_EXCEEDED");
    expect([agent.activeTasks, agent.queuedTasks, work.runs]).toEqual([1, 1, ["late"]]);
    work.release("late");
    await work.started("next");
    work.release("next");
    const { dispatchId, value } = await stream.next("result");
    expect([dispatchId, value.status?.outcome]).toEqual(["next", Outcome.SUCCESS]);
  });

  it("answers tasks beyond the queue as retryable failures", async () => {
    const hub = await startHub();
    const work = gate();
    const { stream } = await start(hub, { run: (task) => work.run(task) });
    for (let index = 0; index < 18; index++) stream.dispatch(envelope({ dispatchId: `d${index}` }));
    const { value, dispatchId } = await stream.next("result");
    expect(dispatchId).toBe("d17");
    expect(value.status).toMatchObject({ outcome: Outcome.RETRYABLE_FAILURE, failureCode: "AGENT_BUSY" });
    for (let index = 0; index < 17; index++) work.release(`d${index}`);
  });

  it("does not start a queued task that is cancelled", async () => {
    const hub = await startHub();
    const work = gate();
    const { stream } = await start(hub, { run: (task) => work.run(task) });
    for (const dispatchId of ["a", "b"]) stream.dispatch(envelope({ dispatchId }));
    await work.started("a");
    stream.cancel("b");
    expect((await stream.next("cancelled")).value.outcome).toBe(CancelOutcome.STOPPED);
    work.release("a");
    await stream.next("result");
    expect(work.runs).toEqual(["a"]);
  });
});

describe("durable steps", () => {
  it("[SAC-12] [PIP-11] wait until the hub has acknowledged them, and are sent again in another session", async () => {
    const hub = await startHub({ acknowledges: false });
    const values: unknown[] = [];
    const run = async (task: Task) => {
      values.push(await task.once("model", {}, () => "paid", { idempotent: true }));
      return task.success("done");
    };
    const { stream } = await start(hub, { run });
    stream.dispatch(envelope({ dispatchId: "a" }));
    const { value, dispatchId } = await stream.next("step");
    expect([dispatchId, value.name, value.valueJson]).toEqual(["a", "model", '"paid"']);
    expect(values).toEqual([]);
    hub.dropConnections();
    const resumed = await hub.streams.take();
    const again = await resumed.next("step");
    expect(again.value.valueJson).toBe('"paid"');
    resumed.acknowledge(again.sequence);
    await resumed.next("result");
    expect(values).toEqual(["paid"]);
  });

  it("[PIP-11] fail with the reason of the hub when it refuses them", async () => {
    const hub = await startHub({ acknowledges: false });
    const run = async (task: Task) => {
      const refused = await task.once("model", {}, () => 1, { idempotent: true }).catch((error) => error);
      return task.failure(`${refused.code} ${refused.message} ${refused.fix}`);
    };
    const { stream, problems } = await start(hub, { run });
    stream.dispatch(envelope({ dispatchId: "a" }));
    const { sequence } = await stream.next("step");
    const error = { code: "BATON-STEP-003", message: "too many", fix: "do more in one" };
    stream.send({ case: "refused", value: { sequence, error } });
    const { value } = await stream.next("result");
    expect(value.status?.failureReason).toBe(
      'BATON-SDK-020 the hub refused the step "model": BATON-STEP-003 too many do more in one',
    );
    expect(problems).toEqual([]);
  });

  it("[PIP-11] that the envelope does not carry are listed before the agent runs", async () => {
    const argumentsDigest = `sha256:${hash("sha256", "{}")}`;
    const givenSteps = [1, 2, 3, 4, 5].map((occurrence) =>
      create(StepSchema, {
        ...{ name: "model", argumentsDigest, occurrence, state: StepState.COMPLETED },
        valueJson: `${occurrence}`,
      }),
    );
    const hub = await startHub({ givenSteps });
    const run = async (task: Task) => {
      let sum = 0;
      for (let left = 5; left > 0; left--) sum += await task.once("model", {}, () => 100);
      return task.success(`${sum}`);
    };
    const { stream } = await start(hub, { run });
    stream.dispatch(envelope({ dispatchId: "a", steps: givenSteps.slice(0, 1), stepCount: 5 }));
    expect((await stream.next("result")).value.status?.summary).toBe("15");
  });
});
