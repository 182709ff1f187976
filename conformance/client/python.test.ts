import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { startAgent } from "@baton/agent";
import { expect, it, onTestFinished } from "vitest";
import { HubProgram } from "./hub-program.ts";

const { BATON_PYTHON: python } = process.env;

it.skipIf(!python)(
  "submits, waits across a killed hub, answers and cancels with the Python client",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "baton-python-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const hub = await HubProgram.start(folder);
    onTestFinished(() => hub.kill());
    const agent = await startAgent({
      ...{ pack: "greeter", version: "1.0.0", taskTypes: ["greeting", "asking"], hub: hub.grpc },
      async run(task) {
        task.spend({ provider: "acme", model: "m", inputTokens: 5, outputTokens: 2 });
        if (task.envelope.execution?.dispatchId.includes("/greeting/"))
          return task.success("done", { data: { text: `Hello, ${task.inputs.name}` } });
        const [answer] = task.answers;
        return answer ? task.success("done", { data: { tone: answer.answer } }) : task.ask("Which tone?");
      },
    });
    onTestFinished(() => agent.close());
    const key = readFileSync(hub.tokenFile, "utf8").trim();
    const story = spawn(python ?? "", [join(import.meta.dirname, "story.py"), hub.http, key], {
      env: { ...process.env, PYTHONPATH: resolve(import.meta.dirname, "../../clients/python") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void story.kill("SIGKILL"));
    const lines: string[] = [];
    const printed = createInterface(story.stdout).on("line", (line) => lines.push(line));
    await once(printed, "line");
    await hub.kill();
    story.stdin.end("\n");
    await hub.start();
    const [code] = await once(story, "close");
    expect(lines.slice(1)).toEqual([
      "same True",
      "result Hello, Ada 5 ['greeting']",
      "answered warm",
      "cancelled True",
      "refused BATON-SUBMIT-001 True",
      "away",
    ]);
    expect(code).toBe(0);
  },
);
