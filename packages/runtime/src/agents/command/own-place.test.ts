/** A command that works in a repository gets a place of its own there, as every agent does. */
import { join } from "node:path";
import { PipelineStatus } from "@baton/contract";
import { expect, it } from "vitest";
import { ended, submit } from "../../../testing/test-hub.ts";
import { gitWorkspaces, workspacesIn } from "../../workspaces/git-workspaces.ts";
import { branches, fingerprint, gitIn, repository, scratch } from "../../workspaces/testing/repositories.ts";
import { hubWith, reaches } from "./testing/command-hub.ts";
import { nodePack } from "./testing/packs.ts";

it("[TRN-03] works on a branch of its own, which is kept, and never in the user's checkout", async () => {
  const script = `
    import { writeFileSync } from "node:fs";
    writeFileSync("total.js", "export const total = 42;\\n");
    const data = { cwd: process.cwd() };
    console.log(JSON.stringify({ status: "success", summary: "added up", artifacts: ["total.js"], data }));`;
  const shop = repository();
  const before = fingerprint(shop);
  const folder = join(scratch(), "places");
  const hub = await hubWith([nodePack(script)], {
    workspaces: gitWorkspaces({ folder }),
    commands: { workspaces: [], ownPlaces: workspacesIn(folder) },
  });
  const { status, stages } = await reaches(
    hub,
    await submit(hub, { workspace: { repository: shop } }),
    ...ended,
  );
  expect(status).toBe(PipelineStatus.COMPLETED);
  expect(stages[0]?.result?.response?.data?.cwd).toContain(folder);
  expect(fingerprint(shop)).toEqual(before);
  const [branch = ""] = branches(shop);
  expect(gitIn(shop, "show", `${branch}:total.js`)).toBe("export const total = 42;");
});
