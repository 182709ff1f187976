import { startAgent } from "@baton/agent";
import { HealthStatus } from "@baton/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { makeRepository, storyArguments, untilEnded } from "../testing/story.ts";
import {
  juggler,
  questioners,
  submitDance,
  submitFix,
  submitJuggling,
  submitSingle,
} from "../testing/tasks.ts";

describe.skipIf(browserPath === undefined)("the agents", () => {
  const stage = setStage([...questioners, juggler], storyArguments);

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };
  const untilAsked = (id: string) =>
    expect
      .poll(
        async () =>
          (await stage.hub.clients().orchestrator.listEscalations({ filter: `pipeline_id = "${id}"` }))
            .escalations.length,
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
  const liar = async () => {
    const { agents } = await stage.hub
      .clients()
      .registry.listAgents({ filter: 'pack_id = "overconfident-dev"' });
    return agents[0];
  };

  it("are listed by pack, with load and health", async () => {
    const { page } = await open("/agents");
    const pack = page.getByRole("region", { name: "designer" });
    await pack.getByText("Healthy").waitFor();
    await pack.getByText("0/4").waitFor();
    await pack.getByText("attached").waitFor();
    expect(await pack.getByText(/all held|recent attempt/).count()).toBe(0);
  });

  it("[DIS-03] that are gone have a time and are not displayed as healthy", async () => {
    const leaver = await startAgent({
      ...{ hub: stage.hub.grpc, pack: "leaver", version: "1.0.0", taskTypes: ["leaving"] },
      ...{ handleSignals: false, run: (task) => task.success("left") },
    });
    const { page } = await open("/agents");
    const pack = page.getByRole("region", { name: "leaver" });
    await pack.getByText("attached").waitFor();
    await page.getByText("5 instances of 5 packs", { exact: true }).waitFor();
    await leaver.close();
    await pack.getByText("Gone", { exact: true }).waitFor();
    await pack.getByText(/gone (just now|\d+ s ago)/).waitFor();
    expect(await pack.getByText(/Healthy|push|attached/).count()).toBe(0);
    await page.getByText("4 instances of 4 packs, 1 gone", { exact: true }).waitFor();
  });

  it("that failed three of three attempts are not displayed as healthy, and have errors, runs and utilisation", async () => {
    const clumsy = await startAgent({
      ...{ hub: stage.hub.grpc, pack: "clumsy", version: "1.0.0", taskTypes: ["pouring"] },
      ...{
        handleSignals: false,
        run: (task) => task.failure("spilled all of the ghp_aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3 milk"),
      },
    });
    onTestFinished(() => clumsy.close());
    const { page, complaints } = await open("/agents");
    const pack = page.getByRole("region", { name: "clumsy" });
    await pack.getByText("Healthy", { exact: true }).waitFor();
    const ids: string[] = [];
    for (const key of ["pour-1", "pour-2", "pour-3"]) {
      const id = await submitSingle(stage.hub, key, "pouring", "Pour the milk");
      ids.push(id);
      await untilAsked(id);
    }
    await pack.getByText("Failing: 3 of 3 failed", { exact: true }).waitFor();
    expect(await pack.getByText("Healthy", { exact: true }).count()).toBe(0);
    expect(await pack.getByText("all held").count()).toBe(0);
    await pack.getByText("reports healthy", { exact: true }).waitFor();
    await pack.getByText("0 of 3", { exact: true }).waitFor();
    await pack.getByText(/^\d+% busy, last \d/).waitFor();
    await pack.getByText(/Last error .* in .*: spilled all of the \[redacted:[^\]]*\] milk/).waitFor();
    await pack.getByText("3 recent attempts").click();
    const list = pack.getByRole("list", { name: /^Recent attempts of / });
    for (const id of ids) await list.getByRole("link", { name: id }).waitFor();
    expect(await list.getByRole("listitem").count()).toBe(3);
    expect(await page.content()).not.toContain("ghp_");
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `agents-failing-${look}`);
    });
    await list.getByRole("link", { name: ids[0] ?? "" }).click();
    await page.getByRole("heading", { name: "Pour the milk" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("[DIS-14] are marked after disproved claims, and a person restores a quarantined one", async () => {
    const { orchestrator } = stage.hub.clients();
    for (
      let task = 0;
      (await liar())?.heartbeat?.health?.status !== HealthStatus.QUARANTINED && task < 4;
      task++
    ) {
      const id = await submitFix(stage.hub, `fix-${task}`, makeRepository(stage.hub));
      await untilAsked(id);
      await orchestrator.abortPipeline({ pipelineId: id, reason: "seen enough" });
      await untilEnded(stage.hub, id);
    }
    const { page } = await open("/agents");
    const pack = page.getByRole("region", { name: "overconfident-dev" });
    await pack.getByText(/claims disproved/).waitFor();
    await pack.getByText("Quarantined").waitFor();
    await takePicture(page, "agents-quarantined-light");
    await pack.getByRole("button", { name: "Restore" }).click();
    await page.getByLabel("Reason").fill("it was fixed");
    await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
    await pack.getByText("Healthy").waitFor();
    // The button is gone, and the page has the focus.
    await page.locator("#content:focus").waitFor();
  });

  it("[DIS-05] have a badge while their circuit breaker is open", async () => {
    const { page } = await open("/agents");
    const pack = page.getByRole("region", { name: "juggler" });
    await pack.getByText("Healthy").waitFor();
    expect(await pack.getByText("Breaker open").count()).toBe(0);
    for (let task = 0; task < 5; task++) await submitJuggling(stage.hub, `juggle-${task}`);
    await pack.getByText("Breaker open").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "agents-breaker-light");
  });

  it("are reported missing for a task, with the reason", async () => {
    await submitDance(stage.hub, "dance");
    const { page } = await open("/agents");
    await page.getByText("Waiting for an agent").waitFor();
    await page
      .getByText(/dancing/)
      .first()
      .waitFor();
  });

  it("[TRN-03] that cannot work have the reason and the fix", async () => {
    const { registry } = stage.hub.clients();
    const pack = { packId: "unready", packVersion: "1.0.0" };
    await registry.registerAgent({ manifest: { ...pack, capabilitySchemaVersion: "1.0.0", safetyTier: 1 } });
    const reason = 'claude is not signed in; run "claude auth login" as the user of the hub';
    const health = { status: HealthStatus.UNHEALTHY, reason };
    await registry.sendHeartbeat({ heartbeat: { ...pack, instanceId: "unready-1", health } });
    const { page } = await open("/agents");
    const card = page.getByRole("region", { name: "unready" });
    await card.getByText("Unhealthy").waitFor();
    await card.getByText(reason).waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findOverflow(page)).toEqual([]);
      await takePicture(page, `agents-unready-${look}`);
    });
  });

  it("are accessible in both themes and at any width", async () => {
    const { page, complaints } = await open("/agents");
    await page.getByText("Healthy").first().waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `agents-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });

  it("get a task from a form that is generated from the schema", async () => {
    const { page, complaints } = await open("/runs");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Template").selectOption("Single task, no template");
    await page.getByLabel("Task type").fill("design");
    // The form creates the task id.
    expect(await page.getByText("Io", { exact: true }).count()).toBe(0);
    await page.getByLabel(/^Title/).fill("Design the footer");
    await page.getByLabel(/^Acceptance criteria/).fill("it has a footer\nit is small");
    expect(await findBarriers(page)).toEqual([]);
    await takePicture(page, "new-run-wide-light");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "Design the footer" }).waitFor();
    await page.getByRole("tab", { name: "Contract" }).click();
    await page.getByText("it is small").waitFor();
    await page.getByText(/^design-the-footer-[0-9a-f]{4}$/).waitFor();
    // The page of the run is the confirmation, without a message.
    expect(await page.locator(".announcement span").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("do not get a task that the hub refuses, and the form lists the errors", async () => {
    const { page } = await open("/runs/new?template=implement-and-review");
    await page.getByRole("list", { name: "Stages of the template" }).getByText("review").first().waitFor();
    await page.getByLabel(/^Title/).fill("Nothing");
    await page.getByLabel(/^Acceptance criteria/).fill(" ");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("alert").getByText("contract.acceptance_criteria", { exact: true }).waitFor();
  });
});
