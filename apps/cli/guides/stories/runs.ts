import { expect } from "vitest";
import type { Ran } from "../../testing/run-baton.ts";
import type { Follower } from "../follow-page.ts";

/** What `scratch/team.ts` is asked to do. */
export const task = '--title "Add a login page" --accept "it answers"';

/** Gives the hub a task, and waits until it has ended or asks; the run's id. */
export async function runTask(page: Follower, what: string, code = 0): Promise<string> {
  const ran = await page.type(`npx baton run ${what} ${task} --repository ~/shop --wait --output json`).ended;
  expect(ran.code, `${what}\n${ran.stdout}\n${ran.stderr}`).toBe(code);
  return JSON.parse(ran.stdout).pipeline.pipelineId;
}

/** The run, once it has ended or waits for a person. */
export async function watchRun(page: Follower, run: string) {
  const ran = await page.type(`npx baton runs watch ${run} --output json`).ended;
  return JSON.parse(ran.stdout).pipeline;
}

/** The id of the run that a command printed. */
export function runIn({ stdout }: Ran): string {
  return /\bp-[0-9a-z]{20}\b/.exec(stdout)?.[0] ?? "";
}
