import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GetSpendResponseSchema, SpendPeriod } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

const usage = { inputTokens: 12_000n, outputTokens: 345n, costMicroUsd: 12_300n, cacheReadTokens: 9_000n };
const answer: Exclude<MessageInitShape<typeof GetSpendResponseSchema>, { readonly $typeName: string }> = {
  rows: [
    { day: "2026-03-13", provider: "anthropic", model: "claude", calls: 3n, usage },
    { day: "2026-03-14", model: "llama\u001b[2J", calls: 1n, usage: { inputTokens: 70n, costUnknown: true } },
    { day: "2026-03-14", usage: { inputTokens: 5n } },
  ],
  total: { calls: 4n, usage: { ...usage, costUnknown: true } },
  fromDay: "2026-02-13",
  toDay: "2026-03-14",
  limits: [
    {
      period: SpendPeriod.DAY,
      limit: 75n,
      raised: 5n,
      spent: 75n,
      resetsAt: timestampFromMs(Date.UTC(2026, 2, 15)),
    },
    { period: SpendPeriod.MONTH, isMoney: true, limit: 12_500_000n, spent: 12_300n, reserved: 1_000_000n },
  ],
};

describe("[SAC-12] baton spend", () => {
  const asked: unknown[] = [];
  const hubWith = (given = answer) =>
    startHub({
      inspection: {
        getSpend: (request) => {
          asked.push(request);
          return create(GetSpendResponseSchema, given);
        },
      },
    });

  it("prints a table, the sum and the limits, and never an unknown cost as nothing", async () => {
    await using hub = await hubWith();
    const { stdout, code } = await runBaton(["spend", "--by", "day,model", "--from", "2026-02-13"], {
      hub: hub.url,
    });
    expect(code).toBe(exitCode.ok);
    expect(asked.at(-1)).toMatchObject({
      byDay: true,
      byModel: true,
      byPack: false,
      fromDay: "2026-02-13",
      toDay: "",
    });
    expect(stdout).toMatch(/^DAY +MODEL +CALLS +INPUT +CACHED +OUTPUT +COST$/m);
    expect(stdout).toMatch(/^2026-03-13 +anthropic\/claude +3 +12,000 +9,000 +345 +\$0\.0123$/m);
    expect(stdout).toMatch(/^2026-03-14 +llama.* 1 +70 +0 +cost unknown$/m);
    expect(stdout).toMatch(/^2026-03-14 +\(not stated\) .*none stated$/m);
    expect(stdout).toMatch(/^total .*more than \$0\.0123$/m);
    expect(stdout).toMatch(
      /^day +75 tokens +0 tokens +75 tokens, 5 tokens of it for today +2026-03-15T00:00Z$/m,
    );
    expect(stdout).toMatch(/^month +\$0\.01 +\$1\.00 +\$12\.50/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("prints JSON, whole or a row on each line", async () => {
    await using hub = await hubWith();
    const whole = JSON.parse((await runBaton(["spend", "-o", "json"], { hub: hub.url })).stdout);
    expect(whole).toMatchObject({ total: { usage: { costUnknown: true } }, limits: [{ limit: "75" }, {}] });
    const lines = (await runBaton(["spend", "-o", "jsonl"], { hub: hub.url })).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).day)).toEqual(["2026-03-13", "2026-03-14", "2026-03-14"]);
  });

  it("refuses groups that are none, and a raise without an amount", async () => {
    await using hub = await hubWith();
    expect((await runBaton(["spend", "--by", "week"], { hub: hub.url })).code).toBe(exitCode.usage);
    const raise = await runBaton(["spend", "raise", "--reason", "why"], { hub: hub.url });
    expect([raise.code, raise.stderr]).toEqual([
      exitCode.usage,
      expect.stringContaining("no amount is given"),
    ]);
  });

  it("raises a limit of a real hub for today; it takes a person's credential", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "config/spend-limits.yaml"), "spend_limits:\n  daily: { usd: 20 }\n");
    const hub = await startRealHub(join(folder, "data"), ["--project", folder]);
    const at = { hub: hub.address };
    const raise = ["spend", "raise", "--usd", "5", "--reason", "the release is today"];
    const stranger = await runBaton(raise, { ...at, env: { XDG_RUNTIME_DIR: folder } });
    expect(stranger.code).toBe(exitCode.denied);
    const raised = await runBaton(raise, at);
    expect([raised.code, raised.stdout]).toEqual([
      exitCode.ok,
      expect.stringMatching(/^day +\$0\.00 +\$0\.00 +\$25\.00, \$5\.00 of it for today/m),
    ]);
    const other = await runBaton(["spend", "raise", "--tokens", "5", "--reason", "why"], at);
    expect([other.code, other.stderr]).toEqual([
      exitCode.refused,
      expect.stringContaining("BATON-FLEET-012"),
    ]);
    const { stdout: record } = await runBaton(["audit", "list", "--type", "limits-changed"], at);
    expect(record).toContain("the release is today");
  });
});
