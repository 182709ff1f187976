import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, sizes, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { StoryAgents, storyArguments, submitStory, untilEnded } from "../testing/story.ts";

describe.skipIf(browserPath === undefined)("a run", () => {
  let holds: (() => void)[] = [];
  const stage = setStage(
    [
      {
        pack: "painter",
        version: "1.0.0",
        taskTypes: ["painting"],
        capacity: 4,
        async run(task) {
          task.think("Which colour will it be? ");
          task.think("Blue, as the sea.");
          task.turn({ confidence: 0.9, action: "looked at the sea" });
          await new Promise<void>((resolve) => {
            holds.push(resolve);
            task.signal.addEventListener("abort", () => resolve());
          });
          return task.success("painted it blue");
        },
      },
      {
        pack: "writer",
        version: "1.0.0",
        taskTypes: ["writing"],
        capacity: 4,
        async run(task) {
          // A control character takes six characters of JSON.
          const isStrange = task.envelope.execution?.dispatchId.includes("/strange/");
          for (let n = 0; n < 9; n++) task.risk(isStrange ? "\u0001".repeat(1e5) : "word ".repeat(5e4));
          return task.success("wrote it all down");
        },
      },
    ],
    storyArguments,
  );
  let agents: StoryAgents | undefined;
  let story = "";
  beforeAll(async () => {
    if (browserPath === undefined) return;
    agents = await StoryAgents.start(stage.hub);
    story = await submitStory(stage.hub, "slugs", "Turn titles into slugs");
    await untilEnded(stage.hub, story);
  });
  afterAll(async () => {
    for (const hold of holds) hold();
    await agents?.end();
  });

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const submitPainting = async (key: string) => {
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: { case: "taskType", value: "painting" },
      contract: { taskId: key, title: `Paint the ${key}`, acceptanceCriteria: ["it has a colour"] },
    });
    return pipeline?.pipelineId ?? "";
  };

  it("displays its stages with their results and setbacks", async () => {
    const { page, complaints } = await open(`/runs/${story}`);
    await page.getByRole("heading", { name: "Turn titles into slugs" }).waitFor();
    expect(await page.title()).toBe("Turn titles into slugs · Baton");
    const stages = page.getByRole("region", { name: "Stages" });
    for (const name of [/implement.*Completed/s, /review.*Completed/s, /verify.*Completed/s])
      await stages.getByRole("button", { name }).waitFor();
    // The disproved claim and the rejection are listed first, with links.
    const happened = page.getByRole("region", { name: "What happened" });
    await happened
      .getByText("the claim “2 tests, 2 pass, 0 fail” was disproved: the hub ran node --test, 1 failed")
      .waitFor();
    await happened
      .getByText(/review, attempt 1: rejected the work of implement, attempt 2: accented letters get lost/)
      .waitFor();
    await happened.getByRole("link", { name: "review, attempt 1" }).click();
    await page.waitForURL(/stage=review&attempt=1&tab=evidence/);
    await page.getByText("Sent back to implement").waitFor();
    await page.goto(`${stage.hub.http}/runs/${story}`);
    await stages.getByRole("button", { name: /^implement/ }).click();
    await page.waitForURL(/stage=implement/);
    await page.getByRole("button", { name: /Attempt 2.*Rejected/ }).click();
    await page
      .getByText(/accented letters get lost/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: /Attempt 3.*Accepted/ }).click();
    await page.locator(".tab-panel .badge.good").getByText("Accepted").waitFor();
    expect(await page.getByText("nothing was checked").count()).toBe(0);
    await page.getByRole("button", { name: /Attempt 1.*Retried/ }).click();
    await page.getByRole("tab", { name: "Evidence" }).click();
    await page.getByText("Claim disproved").waitFor();
    expect(complaints).toEqual([]);
  });

  it("[CON-05] displays results that together exceed one response, and names parts that are too large", async () => {
    const stages = ["long", "longer", "strange"].map((stageId) => ({ stageId, taskType: "writing" }));
    const { pipeline } = await stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: "long words",
      plan: { case: "pipeline", value: { name: "Write", stages } },
      contract: { taskId: "write", title: "Write it all down", acceptanceCriteria: ["it is long"] },
    });
    const id = pipeline?.pipelineId ?? "";
    await untilEnded(stage.hub, id);
    const { page } = await open(`/runs/${id}?stage=longer`);
    await page.getByRole("heading", { name: "Write", exact: true }).waitFor();
    await page.getByText("wrote it all down").waitFor();
    await page.getByRole("tab", { name: "Decisions" }).click();
    await page
      .getByText(/^(word ){1000}/)
      .first()
      .waitFor();
    expect(await page.getByText("Too large to display").count()).toBe(0);
    await page.goto(`${stage.hub.http}/runs/${id}?stage=strange`);
    await page.getByText(/Too large to display: result \(5\.\d MiB\)/).waitFor();
    await page.getByText(`${id}/strange/1`).first().waitFor();
    await page.getByRole("tab", { name: "Evidence" }).click();
    await page.getByText("Evidence arrives with the result.").waitFor();
  });

  it("[TUR-08] has a history with one line per revision, including the disproved claim and the reason of the rejection", async () => {
    const { page } = await open(`/runs/${story}?history=open`);
    const rows = page.getByRole("list", { name: "Transitions" }).getByRole("listitem");
    const lie = rows.filter({ hasText: "implement attempt 1 → retried" });
    await lie.getByText(/reported success, but the checks failed: .*tests failed/).waitFor();
    const rejection = rows.filter({ hasText: "implement completed → rejected → ready" });
    await rejection.getByText("review at work → pending").waitFor();
    await rejection.getByText(/accented letters get lost/).waitFor();
    const revisions = (await rows.locator(".history-revision").allInnerTexts()).filter((text) => text !== "");
    expect(revisions.length).toBeGreaterThan(8);
    expect(new Set(revisions).size).toBe(revisions.length);
    // The history stays open when a link is followed.
    await page
      .getByRole("region", { name: "What happened" })
      .getByRole("link", { name: "review, attempt 1" })
      .click();
    await page.waitForURL(/stage=review&attempt=1&tab=evidence&history=open/);
    await page.getByText("Sent back to implement").waitFor();
    await lie.waitFor();
  });

  it("has all tabs visible and a timeline whose colours are explained", async () => {
    const { page } = await open(`/runs/${story}?stage=implement`);
    const panel = page.getByRole("region", { name: "implement" });
    await panel.getByRole("tab", { name: "Compare" }).waitFor();
    const { x, width } = (await panel.boundingBox()) ?? { x: 0, width: 0 };
    for (const tab of await panel.getByRole("tab").all()) {
      const box = (await tab.boundingBox()) ?? { x: 0, width: Number.POSITIVE_INFINITY };
      expect(box.x + box.width, (await tab.textContent()) ?? "").toBeLessThanOrEqual(x + width);
    }
    const [name, button] = [
      await panel.getByRole("heading", { name: "implement" }).boundingBox(),
      await panel.getByRole("button", { name: "Run again from here" }).boundingBox(),
    ];
    expect(button?.y ?? 0).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
    const colours = await page.evaluate(`(() => {
      const timeline = document.querySelector(".timeline");
      const colourOf = (element) => getComputedStyle(element).backgroundColor;
      const explained = [...timeline.querySelectorAll(".timeline-legend i")].map(colourOf);
      return [...timeline.querySelectorAll(".bar")].map(colourOf).filter((colour) => !explained.includes(colour));
    })()`);
    expect(colours).toEqual([]);
  });

  it("opens its graph at the first stage on a narrow page, or at the stage in the address", async () => {
    const { page } = await open(`/runs/${story}`, { size: "narrow" });
    const graph = page.getByRole("region", { name: "Stages" });
    const isWhole = async (name: RegExp) => {
      const [box, frame] = [
        await graph.getByRole("button", { name }).boundingBox(),
        await graph.boundingBox(),
      ];
      return box !== null && frame !== null && box.x >= frame.x && box.x + box.width <= frame.x + frame.width;
    };
    await page.getByRole("region", { name: "verify" }).waitFor();
    await expect.poll(() => isWhole(/^implement/)).toBe(true);
    await page.goto(`${stage.hub.http}/runs/${story}?stage=verify`);
    await expect.poll(() => isWhole(/^verify/)).toBe(true);
  });

  it("keeps the selected tab visible on a narrow page", async () => {
    const { page } = await open(`/runs/${story}?stage=implement&tab=raw`, { size: "narrow" });
    const tabs = page.getByRole("region", { name: "implement" }).getByRole("tablist");
    const isInSight = async (name: string) => {
      const [tab, frame] = [
        await tabs.getByRole("tab", { name, exact: true }).boundingBox(),
        await tabs.boundingBox(),
      ];
      return tab !== null && frame !== null && tab.x >= frame.x && tab.x + tab.width <= frame.x + frame.width;
    };
    await expect.poll(() => isInSight("Raw")).toBe(true);
    await tabs.getByRole("tab", { name: "Context", exact: true }).click();
    await expect.poll(() => isInSight("Context")).toBe(true);
  });

  it("[TUR-04] has a timeline with a bar for every attempt, gate and wait", async () => {
    const { page } = await open(`/runs/${story}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    const lane = (name: RegExp) => timeline.getByRole("button", { name });
    await lane(/^implement/)
      .locator(".bar.work")
      .nth(2)
      .waitFor();
    const barsOf = async (name: RegExp, kind: string) =>
      Promise.all(
        (await lane(name).locator(`.bar.${kind}`).all()).map(async (bar) => {
          const { x, width } = (await bar.boundingBox()) ?? { x: 0, width: 0 };
          return { from: x, to: x + width, title: (await bar.getAttribute("title")) ?? "" };
        }),
      );
    const [works, gates, waits] = [
      await barsOf(/^implement/, "work"),
      await barsOf(/^implement/, "gate"),
      await barsOf(/^implement/, "wait"),
    ];
    expect(works.map(({ title }) => title.replace(/:.*/s, ""))).toEqual([
      "attempt 1 by senior-ts-dev",
      "attempt 2 by senior-ts-dev",
      "attempt 3 by senior-ts-dev",
    ]);
    expect(works.map(({ title }) => title.includes("Accepted"))).toEqual([false, false, true]);
    // A rejected attempt with passed checks has its own colour.
    expect(works.map(({ title }) => title.includes("Rejected in review"))).toEqual([false, true, false]);
    await timeline.getByText("rejected in review", { exact: true }).waitFor();
    const looks = await page.evaluate<string[]>(`[...document.querySelectorAll(".lane:first-child .bar.work")]
      .map((bar) => getComputedStyle(bar).backgroundColor)`);
    expect(looks).toHaveLength(3);
    expect(new Set(looks).size).toBe(3);
    expect(gates).toHaveLength(3);
    expect(waits.length).toBeGreaterThan(0);
    // In order: an attempt, its gate, the next attempt; the review follows the attempt that it rejects.
    const order = works.flatMap((work, place) => [work.from, gates[place]?.from ?? 0]);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const [review] = await barsOf(/^review/, "work");
    expect(review?.from ?? 0).toBeGreaterThan(gates[1]?.from ?? 0);
    expect(review?.from ?? 0).toBeLessThan(works[2]?.from ?? 0);
    // A click on a bar selects its attempt.
    await lane(/^implement/)
      .locator(".bar.work")
      .first()
      .click();
    await page.waitForURL(/attempt=1/);
  });

  it("displays the contract, claims beside check results, artifacts and decisions", async () => {
    const { page } = await open(`/runs/${story}?stage=implement`);
    const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
    await tab("Contract");
    await page.getByText("Letters with accents keep their letter").waitFor();
    await tab("Evidence");
    const tests = page.getByRole("article").filter({ hasText: "tests" });
    await tests.getByText("Claimed by the agent").waitFor();
    await tests.getByText("Checked by the hub").waitFor();
    await tests.getByText("Passed", { exact: true }).waitFor();
    await tab("Artifacts");
    await page.getByText("Changes").waitFor();
    await page.locator(".patch .add").filter({ hasText: "normalize" }).waitFor();
    await tab("Decisions");
    await page.getByRole("tabpanel").getByText("take the accents off first").waitFor();
    await tab("Context");
    await page.getByText(/Context level LAYERED/).waitFor();
    await tab("Raw");
    await page.getByText('"acceptanceCriteria"').waitFor();
  });

  it("compares an attempt with the one before", async () => {
    const { page } = await open(`/runs/${story}?stage=implement&tab=compare`);
    await page.getByText("Instructions", { exact: true }).waitFor();
    await page.locator(".hunk .add").filter({ hasText: "accented letters get lost" }).first().waitFor();
    await page.locator(".hunk .add").filter({ hasText: "decided: take the accents off first" }).waitFor();
    const part = (title: string) =>
      page
        .locator("section")
        .filter({ has: page.getByRole("heading", { name: title }) })
        .last();
    await part("Changes").locator(".hunk .add").filter({ hasText: "normalize" }).first().waitFor();
    await part("Check results").locator(".hunk").first().waitFor();
  });

  it("[DIS-09] explains why the agent was selected", async () => {
    const { page } = await open(`/runs/${story}?stage=review&tab=why`);
    const chosen = page.getByRole("row").filter({ hasText: "code-reviewer" });
    await chosen.getByText(/healthy/).waitFor();
    await page.getByText("by routing policy").waitFor();
  });

  it("[TUR-04] displays thoughts and actions of agents live, after a restart of the hub and after a reload", async () => {
    const id = await submitPainting("door");
    const { page } = await open(`/runs/${id}`);
    const feed = page.getByRole("log", { name: "Events" });
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    await stage.hub.kill();
    await page.getByText("Reconnecting").waitFor();
    await stage.hub.startAgain();
    await page.getByText("Live", { exact: true }).waitFor();
    for (const hold of holds) hold();
    await feed.getByText("painting: DISPATCHED → COMPLETED").waitFor();
    expect(await feed.getByText("Which colour will it be?").count()).toBe(1);
    // Earlier events are read from the store, once.
    await page.reload();
    await feed.getByText("Which colour will it be? Blue, as the sea.").waitFor();
    await feed.getByText("painting: DISPATCHED → COMPLETED").waitFor();
    expect(await feed.getByText("Which colour will it be?").count()).toBe(1);
    await page
      .getByRole("heading", { name: "Paint the door" })
      .locator("..")
      .getByText("Completed")
      .waitFor();
  });

  it("[PIP-10] can be paused, resumed and aborted, with a reason that is audited", async () => {
    holds = [];
    const id = await submitPainting("wall");
    const { page } = await open(`/runs/${id}`);
    const act = async (name: string, reason: string) => {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByLabel("Reason").fill(reason);
      await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    };
    await act("Pause", "the paint is wet");
    await page.getByText("the paint is wet", { exact: true }).waitFor();
    // The focus stays, although the button changed.
    await page.locator("button:focus", { hasText: "Resume" }).waitFor();
    await act("Resume", "it is dry");
    await page.locator("button:focus", { hasText: "Pause" }).waitFor();
    await act("Abort", "nobody likes blue");
    await page.getByText("nobody likes blue", { exact: true }).first().waitFor();
    await page.getByText("Aborted", { exact: true }).waitFor();
    await page.locator("#content:focus").waitFor();
    const { entries } = await stage.hub.clients().audit.listAuditEntries({ filter: `pipeline_id = "${id}"` });
    expect(entries.map(({ rationale }) => rationale)).toEqual(
      expect.arrayContaining(["the paint is wet", "it is dry", "nobody likes blue"]),
    );
  });

  it("has a page for an unknown run", async () => {
    const { page } = await open("/runs/p-00000000000000000000");
    await page.getByText("Run p-00000000000000000000 not found").waitFor();
  });

  it("is accessible in both themes and at any width", async () => {
    const { page, complaints } = await open(`/runs/${story}?stage=implement&tab=evidence`);
    await page.getByText("Checked by the hub").first().waitFor();
    await page
      .getByRole("log")
      .getByText(/accents come off first/)
      .waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `run-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });

  it("uses the width of a very large screen", async () => {
    const { page, complaints } = await open(`/runs/${story}?stage=implement&tab=evidence`, { size: "huge" });
    await page.getByText("Checked by the hub").first().waitFor();
    await page
      .getByRole("log")
      .getByText(/accents come off first/)
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "run-huge-light");
    // The page fills the width.
    const box = await page.getByRole("region", { name: "Stages" }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(sizes.huge.width - 100);
    expect(await findOverflow(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
