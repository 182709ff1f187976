import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentDefinition, startAgent } from "@baton/agent";
import { ClientError, connect, type Hub } from "@baton/client";
import { PipelineStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { HubProgram } from "./hub-program.ts";

async function startHub(): Promise<HubProgram> {
  const folder = mkdtempSync(join(tmpdir(), "baton-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await HubProgram.start(folder);
  onTestFinished(() => program.kill());
  return program;
}

function clientOf({ grpc, tokenFile }: HubProgram): Hub {
  const hub = connect({ hub: grpc, key: readFileSync(tokenFile, "utf8").trim() });
  onTestFinished(() => hub.close());
  return hub;
}

async function attach(hub: HubProgram, run: AgentDefinition["run"]): Promise<void> {
  const agent = await startAgent({
    ...{ pack: "greeter", version: "1.0.0", taskTypes: ["greeting"] },
    run,
    hub: hub.grpc,
  });
  onTestFinished(() => agent.close());
}

const greeting = { taskType: "greeting" };
const asked = { title: "Greet Ada", accept: ["Ada is greeted"], inputs: { name: "Ada" } };

describe("the client", () => {
  it("submits work and returns its typed result, files and cost", async () => {
    const program = await startHub();
    await attach(program, (task) => {
      task.spend({ provider: "acme", model: "m", inputTokens: 5, outputTokens: 2, costMicroUsd: 30 });
      return task.success("done", { data: { text: `Hello, ${task.inputs.name}!` } });
    });
    const hub = clientOf(program);
    const run = await hub.run<{ text: string }>(greeting, asked);
    const { data, files, cost, stages } = await run.result();
    expect(data.text.toUpperCase()).toBe("HELLO, ADA!");
    expect(files).toEqual([]);
    expect(cost?.inputTokens).toBe(5n);
    expect(Object.keys(stages)).toEqual(["greeting"]);
  });

  it("waits across a killed hub, and takes the same key once", async () => {
    const program = await startHub();
    let greet = () => {};
    const mayGreet = new Promise<void>((resolve) => {
      greet = resolve;
    });
    await attach(program, async (task) => {
      await mayGreet;
      return task.success("done", { data: { attempt: task.envelope.execution?.attemptNumber ?? 0 } });
    });
    const hub = clientOf(program);
    const run = await hub.run(greeting, { ...asked, key: "greet-1" });
    const result = run.result();
    const events = (async () => {
      const seen: string[] = [];
      for await (const { event, sequence } of run.events()) if (event) seen.push(String(sequence));
      return seen;
    })();
    await program.kill();
    const again = hub.run(greeting, { ...asked, key: "greet-1" });
    await program.start();
    expect((await again).id).toBe(run.id);
    greet();
    expect((await result).run.status).toBe(PipelineStatus.COMPLETED);
    const seen = await events;
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("answers questions, cancels, and says why a run has no result", async () => {
    const program = await startHub();
    await attach(program, (task) => {
      const [answer] = task.answers;
      return answer ? task.success("done", { data: { tone: answer.answer } }) : task.ask("Which tone?");
    });
    const hub = clientOf(program);
    const run = await hub.run<{ tone: string }>(greeting, asked);
    const question = await waitFor(async () => (await run.questions())[0]);
    expect(question).toMatchObject({ runId: run.id, problem: expect.stringContaining("Which tone?") });
    await question.answer("warm");
    expect((await run.result()).data.tone).toBe("warm");

    const other = await hub.run(greeting, asked);
    const cancelled = other.result().catch((error: unknown) => error);
    await other.cancel("nobody wants it");
    const error = await cancelled;
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({
      code: "BATON-CLIENT-005",
      message: expect.stringContaining("nobody wants it"),
    });
  });

  it("refuses with the hub's own code and fix, and gives up when the hub stays away", async () => {
    const program = await startHub();
    const hub = clientOf(program);
    const refused = await hub.run("unknown", asked).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "BATON-CLIENT-002", hubCode: "BATON-SUBMIT-001" });
    await program.kill();
    const impatient = connect({ hub: program.grpc, outageMs: 0 });
    onTestFinished(() => impatient.close());
    await expect(impatient.questions()).rejects.toMatchObject({ code: "BATON-CLIENT-003" });
    expect(() => connect({ hub: "localhost" })).toThrow("must begin with http");
  });

  it("ends the waiting when its signal fires, and every wait when it is closed", async () => {
    const program = await startHub();
    const hub = clientOf(program);
    const run = await hub.run(greeting, asked);
    const stop = new AbortController();
    const waiting = run.result({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    const other = run.result();
    hub.close();
    await expect(other).rejects.toMatchObject({ code: "BATON-CLIENT-004" });
  });
});

async function waitFor<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
