import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  encodeBinary,
  encodeJson,
  GetSpendResponseSchema,
  PipelineStatus,
  RiskTier,
  SpendPeriod,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { untilEnded } from "../testing/story.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-spend-"));
const limits = join(folder, "spend-limits.yaml");
writeFileSync(limits, "spend_limits:\n  daily: { tokens: 20000, usd: 5 }\n  monthly: { usd: 100 }\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(browserPath === undefined)("[SAC-12] the spending of a tenant", () => {
  const stage = setStage(
    [
      {
        pack: "reader",
        version: "1.0.0",
        taskTypes: ["read"],
        async run(task) {
          const call = { provider: "anthropic", model: "claude", inputTokens: 1_500, outputTokens: 345 };
          task.spend({ ...call, cacheReadTokens: 900, costMicroUsd: 12_300 });
          task.spend({ model: "llama", inputTokens: 70 });
          return task.success("read it");
        },
      },
    ],
    ["--spend-limits", limits],
  );

  const open = async (path: string) => {
    const opened = await openPage(stage.browser);
    onTestFinished(() => opened.context.close());
    return { ...opened, show: () => opened.page.goto(stage.hub.http + path) };
  };

  it("is charted by day, model, agent and template, with the numbers in a table and what is left of the limits", async () => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "read",
      plan: { case: "taskType", value: "read" },
      riskTier: RiskTier.LOW,
      contract: { taskId: "read", title: "Read a book", acceptanceCriteria: ["it is read"] },
      budget: { maxTokens: 9_000n },
    });
    const { status } = await untilEnded(stage.hub, pipeline?.pipelineId ?? "");
    expect(status).toBe(PipelineStatus.COMPLETED);

    const { page, complaints, show } = await open("/spend");
    await show();
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole("img", { name: /^Spending by day, from .* at most \$0\.0123 a day$/ }).waitFor();
    await page
      .getByRole("row", { name: new RegExp(`^${today} more than \\$0\\.0123 2 1,570 900 345$`) })
      .waitFor();
    const limitsOf = page.getByRole("region", { name: "Limits" });
    await limitsOf.getByText("1,915 of 20,000").waitFor();
    await limitsOf.getByText("$0.01 of $5.00").waitFor();
    await page.getByText("1,915 tokens, more than $0.0123").waitFor();
    await page.getByRole("button", { name: "Model" }).click();
    await page.getByRole("row", { name: /^anthropic\/claude \$0\.0123 1 1,500 900 345$/ }).waitFor();
    await page.getByRole("row", { name: /^llama cost unknown 1 70 0 0$/ }).waitFor();
    await page.getByRole("button", { name: "Agent" }).click();
    await page.getByRole("row", { name: /^reader more than \$0\.0123 2/ }).waitFor();
    await page.getByRole("button", { name: "Template" }).click();
    await page.getByRole("row", { name: /^no template more than \$0\.0123 2/ }).waitFor();
    expect(new URL(page.url()).search).toContain("by=template");
    await page.reload();
    await page.getByRole("row", { name: /^no template more than \$0\.0123 2/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("of many days is readable in both themes, wide and narrow", async () => {
    const { page, show } = await open("/spend?by=day");
    const days = Array.from({ length: 30 }, (_, ago) => new Date(Date.UTC(2026, 2, 30) - ago * 86_400_000));
    const text = (day: Date | undefined) => day?.toISOString().slice(0, 10) ?? "";
    const usage = (many: number) => ({
      ...{ inputTokens: BigInt(many * 9_000), outputTokens: BigInt(many * 700) },
      ...{
        cacheReadTokens: BigInt(many * 4_000),
        costMicroUsd: BigInt(many * 310_000),
        costUnknown: many % 7 === 0,
      },
    });
    const rows = days
      .flatMap((day, at) =>
        at % 6 === 0 ? [] : [{ day: text(day), calls: BigInt(at + 3), usage: usage((at * 7) % 19) }],
      )
      .toReversed();
    const resetsAt = timestampFromMs(Date.UTC(2026, 2, 31));
    const answer = create(GetSpendResponseSchema, {
      rows,
      total: { usage: usage(200) },
      ...{ fromDay: text(days.at(-1)), toDay: text(days[0]) },
      limits: [
        { period: SpendPeriod.DAY, limit: 5_000_000n, spent: 5_010_000n, resetsAt },
        {
          period: SpendPeriod.DAY,
          isMoney: true,
          limit: 25_000_000n,
          raised: 5_000_000n,
          spent: 9_300_000n,
          reserved: 4_000_000n,
          resetsAt,
        },
        { period: SpendPeriod.MONTH, isMoney: true, limit: 300_000_000n, spent: 62_000_000n, resetsAt },
      ],
    });
    await page.route("**/vasini.agent.v1.InspectionService/GetSpend", (route) => {
      const contentType = route.request().headers()["content-type"] ?? "";
      const isJson = contentType.includes("json");
      const body = isJson
        ? encodeJson(GetSpendResponseSchema, answer)
        : Buffer.from(encodeBinary(GetSpendResponseSchema, answer));
      return route.fulfill({ contentType, body });
    });
    await show();
    await page.getByRole("img", { name: /from 2026-03-01 to 2026-03-30/ }).waitFor();
    await page.getByText("Full.").waitFor();
    await inEveryLook(page, async (name) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `spend-${name}`);
    });
    await page.getByRole("button", { name: "Tokens" }).click();
    await page.getByRole("img", { name: /tokens a day$/ }).waitFor();
  });
});
