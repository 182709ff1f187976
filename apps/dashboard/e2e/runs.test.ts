import { describe, expect, it, onTestFinished } from "vitest";
import { findBarriers, findOverflow } from "../testing/axe.ts";
import { browserPath, inEveryLook, openPage, takePicture } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";

describe.skipIf(browserPath === undefined)("the runs", () => {
  const { promise: allowed, resolve: finish } = Promise.withResolvers<void>();
  const stage = setStage([
    {
      pack: "greeter",
      version: "1.0.0",
      taskTypes: ["greeting"],
      async run(task) {
        if (task.inputs.wait) await allowed;
        return task.success(`Hello, ${task.inputs.name ?? "world"}`);
      },
    },
  ]);

  const submit = (key: string, title: string, inputs = {}) =>
    stage.hub.clients().orchestrator.submitTask({
      idempotencyKey: key,
      plan: { case: "taskType", value: "greeting" },
      contract: { taskId: key, title, acceptanceCriteria: ["somebody is greeted"] },
      inputs,
    });

  const open = async (path: string, look: Parameters<typeof openPage>[1] = {}) => {
    const opened = await openPage(stage.browser, look);
    onTestFinished(() => opened.context.close());
    await opened.page.goto(stage.hub.http + path);
    return opened;
  };

  it("have a hint while there are none", async () => {
    const { page, complaints } = await open("/");
    await page.getByText("No runs yet").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(await page.title()).toBe("Runs · Baton");
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("[TUR-04] display a new run and its progress without a reload", async () => {
    const { page } = await open("/runs");
    await page.getByText("Live", { exact: true }).waitFor();
    await submit("k-1", "Greet Ada", { wait: true });
    const row = page.getByRole("link", { name: /Greet Ada/ });
    await row.getByText("Running").waitFor();
    finish();
    await row.getByText("Completed", { exact: true }).waitFor();
    await row.getByText("1/1").waitFor();
  });

  it("are filtered by name and status in the address", async () => {
    await submit("k-2", "Greet Grace");
    const { page } = await open("/runs");
    await page.getByRole("link", { name: /Greet Grace/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("gRAc");
    await page.getByRole("link", { name: /Greet Ada/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Completed" }).click();
    await page.waitForURL(/q=gRAc&status=COMPLETED$/);
    await page.reload();
    await page.getByRole("link", { name: /Greet Grace/ }).waitFor();
    await page.getByRole("button", { name: "Failed" }).click();
    await page.getByText("No matching runs").waitFor();
  });

  it("can be navigated with the keyboard, which has a help dialog", async () => {
    const { page } = await open("/runs");
    await page.getByRole("link", { name: /Greet Ada/ }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).getByText("Next row").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    await page.waitForSelector('[data-theme="dark"]');
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/runs\/p-/);
  });

  it("[TUR-04] report an unavailable hub and update when it is back", async () => {
    const { page } = await open("/runs");
    await page.getByText("Live", { exact: true }).waitFor();
    await stage.hub.kill();
    await page.getByText("Reconnecting").waitFor();
    await stage.hub.startAgain();
    await submit("k-3", "Greet Edsger");
    await page.getByText("Live", { exact: true }).waitFor();
    await page
      .getByRole("link", { name: /Greet Edsger/ })
      .getByText("Completed", { exact: true })
      .waitFor();
  });

  it("update when the hub comes back with an empty store", async () => {
    const { page } = await open("/runs");
    await page.getByRole("link", { name: /Greet Edsger/ }).waitFor();
    await stage.hub.kill();
    await page.getByText("Reconnecting").waitFor();
    stage.hub.forget();
    await stage.hub.startAgain();
    await page.getByText("No runs yet").waitFor();
    await submit("k-4", "Greet Ada");
    await page
      .getByRole("link", { name: /Greet Ada/ })
      .getByText("Completed", { exact: true })
      .waitFor();
  });

  it("is accessible in both themes and at any width", async () => {
    const { page, complaints } = await open("/runs");
    await page.getByRole("link", { name: /Greet Ada/ }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await inEveryLook(page, async (look) => {
      expect(await findBarriers(page)).toEqual([]);
      await takePicture(page, `runs-${look}`);
      expect(await findOverflow(page)).toEqual([]);
    });
    expect(complaints).toEqual([]);
  });
});
