import { ErrorDetailSchema, Outcome } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it, vi } from "vitest";
import { envelope } from "../../testing/index.ts";
import { until } from "../../testing/until.ts";
import type { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";
import { endAll, gate, start, startHub } from "./testing/attached.ts";

afterEach(endAll);

describe("a lost stream", () => {
  it("is reopened in the same session: unacknowledged messages are resent with their numbers", async () => {
    const hub = await startHub({
      acknowledges: false,
      session: ({ resumeSessionId }) => ({ id: "s", acknowledged: resumeSessionId === "s" ? 2n : 0n }),
    });
    const { agent, stream } = await start(hub);
    for (const dispatchId of ["a", "b", "c"]) stream.dispatch(envelope({ dispatchId }));
    const sequences = [];
    for (let left = 3; left > 0; left--) sequences.push((await stream.next("result")).sequence);
    expect(sequences).toEqual([2n, 3n, 4n]);
    hub.dropConnections();
    const resumed = await hub.streams.take();
    expect(resumed.helloSequence).toBe(5n);
    expect(resumed.hello).toMatchObject({
      resumeSessionId: "s",
      heldDispatches: [{ dispatchId: "a" }, { dispatchId: "b" }, { dispatchId: "c" }],
    });
    const again = [await resumed.next("result"), await resumed.next("result")];
    expect(again.map(({ dispatchId, sequence }) => [dispatchId, sequence])).toEqual([
      ["b", 3n],
      ["c", 4n],
    ]);
    resumed.dispatch(envelope({ dispatchId: "d" }));
    expect((await resumed.next("result")).sequence).toBe(6n);
    resumed.acknowledge(6n);
    await agent.close();
    expect(agent.unacknowledged).toBe(0);
  });

  it("is reopened in a new session when the hub lost the old one: kept messages are numbered from two", async () => {
    const hub = await startHub({ acknowledges: false });
    const { agent, stream } = await start(hub);
    for (const dispatchId of ["a", "b"]) stream.dispatch(envelope({ dispatchId }));
    await stream.next("result");
    const { sequence } = await stream.next("result");
    stream.acknowledge(sequence - 1n);
    await until(() => agent.unacknowledged === 1);
    hub.dropConnections();
    const fresh = await hub.streams.take();
    expect(fresh.hello.resumeSessionId).toBe("session-1");
    expect(fresh.hello.heldDispatches).toMatchObject([{ dispatchId: "b" }]);
    const again = await fresh.next("result");
    expect([again.dispatchId, again.sequence]).toEqual(["b", 2n]);
    expect(agent.sessionId).toBe("session-2");
    fresh.dispatch(envelope({ dispatchId: "c" }));
    expect((await fresh.next("result")).sequence).toBe(3n);
  });

  it("does not stop attempts: a result is delivered when the hub is back", async () => {
    const first = await startHub();
    const work = gate();
    const { agent, stream, problems } = await start(first, { run: (task) => work.run(task) });
    stream.dispatch(envelope({ dispatchId: "d" }));
    await work.started("d");
    const { port } = first;
    await first.stop();
    await until(() => agent.state === "away");
    work.release("d");
    await until(() => agent.unacknowledged === 1);
    const second = await startHub({ port });
    const back = await second.streams.take();
    expect(back.hello.heldDispatches).toMatchObject([{ dispatchId: "d", attemptNumber: 1 }]);
    const { value, sequence } = await back.next("result");
    expect(value.status?.outcome).toBe(Outcome.SUCCESS);
    expect(sequence).toBe(2n);
    await until(() => agent.unacknowledged === 0);
    expect(problems.map(({ code }) => code)).toEqual(["BATON-SDK-015"]);
  });

  it("names the held attempts, and does not run them again when they are resent", async () => {
    const hub = await startHub();
    const work = gate();
    const { stream } = await start(hub, { run: (task) => work.run(task) });
    for (const dispatchId of ["running", "waiting"]) stream.dispatch(envelope({ dispatchId }));
    await work.started("running");
    hub.dropConnections();
    const back = await hub.streams.take();
    const held = back.hello.heldDispatches.map(({ dispatchId }) => dispatchId);
    expect(held).toEqual(["running", "waiting"]);
    for (const dispatchId of ["running", "waiting"]) back.dispatch(envelope({ dispatchId }));
    for (const id of ["running", "waiting"]) work.release(id);
    await back.next("result");
    await back.next("result");
    expect(work.runs).toEqual(["running", "waiting"]);
  });

  it("resends neither hello nor heartbeats", async () => {
    const hub = await startHub({ heartbeatMs: 50, acknowledges: false, session: () => ({ id: "s" }) });
    const { stream } = await start(hub);
    await stream.next("heartbeat");
    stream.dispatch(envelope({ dispatchId: "d" }));
    const { sequence } = await stream.next("result");
    hub.dropConnections();
    const back = await hub.streams.take();
    const first = await back.received.take();
    expect([first.message.case, first.sequence]).toEqual(["result", sequence]);
  });
});

describe("many lost streams", () => {
  it("lose no result and run nothing twice, with or without a new session", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0); // It reconnects without delay.
    const tasks = 120;
    let highest = 0n;
    let streams = 0;
    const hub = await startHub({
      acknowledges: false,
      // Every third time the hub has lost the session.
      session: ({ resumeSessionId }) => {
        if (resumeSessionId !== "" && ++streams % 3 !== 0)
          return { id: resumeSessionId, acknowledged: highest };
        highest = 0n;
        return { id: `s${streams}`, acknowledged: 0n };
      },
    });
    const runs = new Map<string, number>();
    const { agent, stream: first } = await start(hub, {
      capacity: 4,
      run: async (task) => {
        const id = task.envelope.execution?.dispatchId ?? "";
        runs.set(id, (runs.get(id) ?? 0) + 1);
        task.think("on it");
        return task.success("done");
      },
    });
    const answered = new Set<string>();
    let stream = first;
    let received = 0;
    while (answered.size < tasks) {
      const open = Array.from({ length: tasks }, (_, index) => `d${index}`).filter((id) => !answered.has(id));
      for (const dispatchId of open.slice(0, 8)) stream.dispatch(envelope({ dispatchId }));
      for (let wanted = 5; wanted > 0 && answered.size < tasks; ) {
        const { message, sequence } = await stream.received.take();
        highest = sequence;
        if (++received % 3 === 0) stream.acknowledge(sequence);
        if (message.case !== "result") continue;
        answered.add(message.value.dispatchId);
        wanted--;
      }
      hub.dropConnections();
      stream = await hub.streams.take();
    }
    expect([...runs.values()].filter((count) => count > 1)).toEqual([]);
    expect(runs.size).toBe(tasks);
    stream.acknowledge(1_000_000n);
    await until(() => agent.unacknowledged === 0);
  });
});

describe("messages of the hub", () => {
  it("refused: drops the message, and onProblem receives the reason and the fix", async () => {
    const hub = await startHub({ acknowledges: false });
    const reported = Promise.withResolvers<AgentError>();
    const { agent, stream } = await start(hub, { onProblem: reported.resolve });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const { sequence } = await stream.next("result");
    const error = create(ErrorDetailSchema, { code: "BATON-X-1", message: "not yours", fix: "fix it" });
    stream.send({ case: "refused", value: { sequence, error } });
    expect(await reported.promise).toMatchObject({
      code: "BATON-SDK-013",
      message: "the hub refused a result: BATON-X-1 not yours",
      at: "dispatch d",
      fix: "fix it",
    });
    expect(agent.unacknowledged).toBe(0);
  });

  it("[TRN-05] drain: running attempts finish, and the stream is reopened after the hub ends it", async () => {
    const hub = await startHub();
    const work = gate();
    const { agent, stream } = await start(hub, { run: (task) => work.run(task) });
    stream.dispatch(envelope({ dispatchId: "d" }));
    await work.started("d");
    stream.send({ case: "drain", value: { reason: "restart", grace: durationFromMs(1_000) } });
    await until(() => agent.state === "draining");
    work.release("d");
    await stream.next("result");
    stream.end();
    const back = await hub.streams.take();
    expect(back.hello.resumeSessionId).toBe("session-1");
    await until(() => agent.state === "attached");
  });
});

describe("closing", () => {
  it("[TRN-05] finishes running attempts, declines queued ones, and accepts nothing more", async () => {
    const hub = await startHub({ heartbeatMs: 50 });
    const work = gate();
    const { agent, stream } = await start(hub, { run: (task) => work.run(task) });
    for (const dispatchId of ["running", "waiting"]) stream.dispatch(envelope({ dispatchId }));
    await work.started("running");
    const closed = agent.close();
    expect(agent.state).toBe("closing");
    const given = await stream.next("result");
    expect([given.dispatchId, given.value.status?.failureCode]).toEqual(["waiting", "AGENT_CLOSING"]);
    const { value } = await stream.next("heartbeat");
    expect(value.capacity).toMatchObject({ activeTasks: 1, maxTasks: 1 });
    stream.dispatch(envelope({ dispatchId: "late" }));
    expect((await stream.next("result")).dispatchId).toBe("late");
    work.release("running");
    expect((await stream.next("result")).value.status?.outcome).toBe(Outcome.SUCCESS);
    await closed;
    await agent.closed;
    await stream.ended.promise;
    expect(agent.state).toBe("closed");
    expect(work.runs).toEqual(["running"]);
  });

  it("[TRN-05] stops running attempts after the grace, and reports it", async () => {
    const hub = await startHub();
    const work = gate();
    const { agent, stream } = await start(hub, { run: (task) => work.run(task) });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const task = await work.started("d");
    await agent.close({ graceMs: 0 });
    expect(task.signal.reason).toMatchObject({ why: "closing" });
    expect((await stream.next("result")).value.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "AGENT_CLOSING",
    });
    work.release("d");
  });

  it("closes while the hub is unreachable", async () => {
    const hub = await startHub();
    const { agent } = await start(hub);
    await hub.stop();
    await until(() => agent.state === "away");
    await agent.close();
    await agent.closed;
    expect(agent.state).toBe("closed");
  });
});

describe("limits", () => {
  it("accepts no task while too many results are unacknowledged", async () => {
    const hub = await startHub({ acknowledges: false });
    const reported = Promise.withResolvers<AgentError>();
    const { agent, stream } = await start(hub, { onProblem: reported.resolve });
    for (let index = 0; index < limits.unacknowledgedAnswers; index++) {
      stream.dispatch(envelope({ dispatchId: `d${index}` }));
      await stream.next("result");
    }
    stream.dispatch(envelope({ dispatchId: "more" }));
    expect(await reported.promise).toMatchObject({ code: "BATON-SDK-014", at: "dispatch more" });
    expect(agent.unacknowledged).toBe(limits.unacknowledgedAnswers);
  });

  it("refuses a turn that is larger than the hub accepts before it is sent", async () => {
    const hub = await startHub();
    const { stream, problems } = await start(hub, {
      run: (task) => {
        task.turn({ confidence: 1, thought: "x".repeat(5 * 1024 * 1024) });
        return task.success("done");
      },
    });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const { value } = await stream.next("result");
    expect(value.status).toMatchObject({
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      failureCode: "BATON-SDK-005",
    });
    expect(value.status?.failureReason).toMatch(/^\d+ bytes are more than the 4194304 that the hub accepts$/);
    expect(problems).toMatchObject([{ code: "BATON-SDK-005" }]);
  });

  it("answers with a failure when the result itself is too large", async () => {
    const hub = await startHub();
    const { stream } = await start(hub, {
      run: (task) => task.success("done", { data: { text: "x".repeat(5 * 1024 * 1024) } }),
    });
    stream.dispatch(envelope({ dispatchId: "d" }));
    const { value } = await stream.next("result");
    expect(value.status).toMatchObject({
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      failureCode: "BATON-SDK-005",
    });
  });
});
