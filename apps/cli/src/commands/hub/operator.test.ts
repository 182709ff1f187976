import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

describe("the operator token of a hub that was started with `baton up`", () => {
  it("decides for its owner without an option, and is never printed; without it a caller can submit and watch", async () => {
    const folder = scratchFolder();
    const hub = await startRealHub(join(folder, "data"), [], undefined, { BATON_LOG_LEVEL: "trace" });
    const file = join(folder, "data/operator.token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const token = readFileSync(file, "utf8").trim();
    expect(token).toMatch(/^baton-operator_[\w-]{43}$/);

    // As a program that cannot read the hub's files: it has no note of the hub.
    const stranger = { hub: hub.address, env: { XDG_RUNTIME_DIR: folder } };
    const task = ["run", "--task-type", "implement", "--title", "Mine", "--accept", "it works"];
    const submitted = await runBaton(task, stranger);
    expect(submitted.code).toBe(exitCode.ok);
    const pipelineId = submitted.stdout.trim();
    const view = await runBaton(["runs", "show", pipelineId], stranger);
    expect(view.code).toBe(exitCode.ok);
    const abort = ["runs", "abort", pipelineId, "--reason", "enough"];
    const refused = await runBaton(abort, stranger);
    expect(refused.code).toBe(exitCode.denied);
    expect(refused.stderr).toContain("BATON-SERVER-016");
    expect(refused.stderr).toContain("operator.token");
    expect((await runBaton(["open"], stranger)).stderr).toContain("BATON-CLI-013");

    expect((await runBaton(abort, { hub: hub.address })).code).toBe(exitCode.ok);
    const [other = ""] = await leaveTasks(hub.address, 1);
    const named = ["--api-key-file", file, "runs", "abort", other, "--reason", "enough"];
    expect((await runBaton(named, stranger)).code).toBe(exitCode.ok);

    const { stdout } = await runBaton(["open"], { hub: hub.address });
    const [, page = "", code = ""] = /^(http:\S+)\/#code=([\w-]{22})\n$/.exec(stdout) ?? [];
    const exchange = () => fetch(`${page}/v1/sign-in`, { method: "POST", body: JSON.stringify({ code }) });
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(401);

    await hub.stop();
    const { stdout: printed, stderr: logged } = await hub.running.ended;
    expect(printed).toContain("operator.token");
    for (const secret of [token, code]) {
      expect(printed).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
    expect((await runBaton(["open"], { hub: hub.address })).stderr).toContain("BATON-CLI-013");
  });
});
