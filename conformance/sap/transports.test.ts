/** The same bus over every transport: in process, and over HTTP against a server. */
import { httpTasks, isNack, type Result, type Task, TaskBus } from "@baton/agent/bus";
import { ResponseStatus } from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { exampleTask, taskOfTheText } from "@baton/protocols/testing/sap";
import { EgressFilter, inProcessTasks } from "@baton/runtime";
import { TestAgent, testHub } from "@baton/runtime/testing";
import { startServer } from "@baton/server";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";

const policy = testPolicy({ routes: { "consult.align": { allowedPackIds: ["A-ml-001"] } } });
const caller = { tenantId: "local", id: "ada", kind: "human" } as const;

const transports = {
  async "in process"() {
    const hub = await newHub();
    return { hub, endpoint: inProcessTasks(hub, caller) };
  },
  async "over HTTP"() {
    const hub = await newHub();
    const server = await startServer({
      ...{ hub, filter: new EgressFilter(), log: pino({ level: "silent" }) },
      config: {
        grpc: { host: "127.0.0.1", port: 0 },
        http: { host: "127.0.0.1", port: 0 },
        operatorToken: "baton-operator_0123456789012345678901234567890123456789abc",
      },
    });
    onTestFinished(() => server.close(0));
    return { hub, endpoint: httpTasks({ address: server.httpAddress }) };
  },
} as const;

async function newHub() {
  const hub = await testHub({ policy });
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, {
    ...{ packId: "A-ml-001", tenantId: "local", taskTypes: ["consult.align"], maxTasks: 20 },
    answer: ({ inputs }) => ({ response: { status: ResponseStatus.SUCCESS, data: { given: inputs ?? {} } } }),
  });
  await agent.receive("welcome");
  return hub;
}

/** Unlike any other, so that it is executed. */
function task(changes: object = {}): Task {
  return {
    ...exampleTask({ payload: { nonce: crypto.randomUUID() } }),
    taskId: crypto.randomUUID(),
    correlationId: crypto.randomUUID(),
    ...changes,
  } as Task;
}

/** Receives the Results of a route, and resolves when the outcomes of so many tasks are there. */
function collect(bus: TaskBus, name: string, tasks: number) {
  const results: Result[] = [];
  const complete = new Promise<Result[]>((resolve) => {
    bus.listen(name, (result) => {
      results.push(result);
      if (results.filter(({ status }) => status === "SUCCEEDED").length === tasks) resolve(results);
    });
  });
  return complete;
}

describe.each(Object.entries(transports))("the bus %s", (_, begin) => {
  async function busOver(problems: Error[] = []) {
    const { hub, endpoint } = await begin();
    const bus = new TaskBus(endpoint, { onProblem: (problem) => problems.push(problem) });
    onTestFinished(() => bus.close());
    return { hub, bus };
  }

  it("[TRN-04] answers a task with an Ack, and the example of the text with a Nack, as values", async () => {
    const { bus } = await busOver();
    const given = task();
    const { taskId, correlationId } = given;
    expect(await bus.submit(given)).toMatchObject({ kind: "ack", taskId, correlationId, existing: false });
    const nack = await bus.submit(taskOfTheText as unknown as Task);
    expect(isNack(nack)).toBe(true);
    expect(nack).toMatchObject({
      correlationId: taskOfTheText.correlationId,
      error: { details: { violations: [{ path: "constitutionalContext.pressureLevel" }] } },
    });
  });

  it("[TRN-04] [SAP-08] reports the Results of each task to the route that it names, with its ids", async () => {
    const { bus } = await busOver();
    const route = (name: string) => ({ replyTo: { endpoint: `bus:inproc:${name}` } });
    const primes = [task(route("prime")), task(route("prime"))];
    const prime = collect(bus, "prime", 2);
    const other = task({ ...route("other"), parentTaskId: primes[0]?.taskId });
    for (const one of [...primes, other]) await bus.submit(one);
    for (const { taskId, correlationId } of primes) {
      const own = (await prime).filter((result) => result.taskId === taskId);
      expect(own.map(({ status }) => status)).toEqual(["RUNNING", "SUCCEEDED"]);
      expect(own.every((result) => result.correlationId === correlationId)).toBe(true);
    }
    expect(await prime).toHaveLength(4);
    // Who listens later misses nothing.
    const late = await collect(bus, "other", 1);
    expect(late.at(-1)).toMatchObject({
      ...{ taskId: other.taskId, correlationId: other.correlationId, parentTaskId: primes[0]?.taskId },
      output: { given: other.payload },
    });
  });

  it("[TRN-04] runs a task to its outcome, and keeps its transcript", async () => {
    const { bus } = await busOver();
    const given = task({
      replyTo: { endpoint: "bus:inproc:prime", expectAck: false },
      "x-more": { kept: 1 },
    });
    const result = await bus.run(given);
    expect(result).toMatchObject({ status: "SUCCEEDED", constitutionalEvidence: { alignment: "VALID" } });
    expect(await bus.result(given.taskId)).toEqual(result);
    expect(await bus.transcript(given.taskId)).toMatchObject({
      task: JSON.parse(JSON.stringify(given)),
      results: [{ status: "RUNNING" }, result],
    });
  });

  it("[TRN-04] reports what a listener throws, and goes on", async () => {
    const problems: Error[] = [];
    const { bus } = await busOver(problems);
    bus.listen("prime", () => {
      throw new Error("the listener is broken");
    });
    const complete = collect(bus, "prime", 1);
    await bus.submit(task());
    await complete;
    expect(problems.map(({ message }) => message)).toContain("the listener is broken");
  });

  it("[TRN-04] refuses an unknown task", async () => {
    const { bus } = await busOver();
    const absent = crypto.randomUUID();
    expect(await bus.result(absent)).toMatchObject({ kind: "nack", error: { code: "NOT_FOUND" } });
    const following = bus.follow(absent, 0, new AbortController().signal)[Symbol.asyncIterator]();
    await expect(following.next()).rejects.toThrow("there is no task with this taskId");
  });
});

it("[SAP-03] [TRN-04] a follower over HTTP goes on where it was when the server comes back", async () => {
  const hub = await testHub({ policy });
  onTestFinished(() => hub.drain(0));
  const agent = new TestAgent(hub, {
    ...{ packId: "A-ml-001", tenantId: "local", taskTypes: ["consult.align"] },
    answer: () => undefined,
  });
  await agent.receive("welcome");
  const start = (port: number) =>
    startServer({
      ...{ hub, filter: new EgressFilter(), log: pino({ level: "silent" }) },
      config: { grpc: { host: "127.0.0.1", port: 0 }, http: { host: "127.0.0.1", port } },
    });
  const first = await start(0);
  const bus = new TaskBus(httpTasks({ address: first.httpAddress }));
  onTestFinished(() => bus.close());
  const given = task();
  await bus.submit(given);
  const envelope = await agent.envelope();
  const seen: string[] = [];
  for await (const { result } of bus.follow(given.taskId, 0, new AbortController().signal)) {
    seen.push(result.status);
    if (result.status !== "RUNNING") continue;
    await first.close(0);
    const second = await start(Number(new URL(first.httpAddress).port));
    onTestFinished(() => second.close(0));
    agent.answer(envelope, { response: { status: ResponseStatus.SUCCESS, data: { done: true } } });
  }
  expect(seen).toEqual(["RUNNING", "SUCCEEDED"]);
});
