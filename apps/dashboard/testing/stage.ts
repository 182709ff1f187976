import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { buildPage } from "../build/build-page.ts";
import { browserPath, openBrowser, openPage } from "./browser.ts";
import { HubProcess } from "./hub.ts";
import { startTeam, type Team } from "./team.ts";

type Agents = Parameters<typeof startTeam>[1];

export interface Stage {
  hub: HubProcess;
  browser: Browser;
  team: Team;
}

/** Starts the current page, a hub, agents and a browser for the tests of a file. */
export function setStage(agents: Agents, args: readonly string[] = []): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    if (browserPath === undefined) return;
    await buildPage();
    const [hub, browser] = await Promise.all([HubProcess.start(args), openBrowser()]);
    Object.assign(stage, { hub, browser, team: await startTeam(hub.grpc, agents) });
  });
  afterAll(async () => {
    await stage.team?.close();
    await stage.browser?.close();
    await stage.hub?.end();
  });
  return stage;
}

export { openPage };
