import type { Pipeline } from "@baton/contract/forms";
import { exitCode } from "../exit-code.ts";
import { quote } from "../hub/filter.ts";
import { followEvents, goingOn, type Watching } from "../hub/follow-events.ts";
import { Glances } from "../hub/glances.ts";
import { openQuestionsOf } from "../hub/list-escalations.ts";
import { readPages } from "../hub/read-pages.ts";
import { Spending } from "../hub/spending.ts";
import { limits } from "../limits.ts";
import { renderBeat } from "../narration/beat.ts";
import { Doing } from "../narration/doing.ts";
import { Scene } from "../narration/scene.ts";
import { EventTeller } from "../narration/tell-event.ts";
import type { Session } from "../session.ts";
import { type LiveFleet, renderFleet } from "../views/live-fleet.ts";
import { lookOfOutput } from "../writing.ts";
import { startPicture } from "./start-picture.ts";

/** What happens as a story, above a picture of everything that is under way. */
export async function watchLive(
  { hub, signal, way }: Session,
  watching: Omit<Watching, "absence">,
  pipelineId?: string,
): Promise<number> {
  const doing = new Doing();
  let fleet: LiveFleet = {
    ...{ underWay: [], questions: new Map(), spent: new Map() },
    ...{ doing, isAway: false, way },
  };
  const view = startPicture((look, nowMs) => renderFleet(look, fleet, nowMs));
  const change = (news: Partial<LiveFleet>) => {
    fleet = { ...fleet, ...news };
    view.draw();
  };
  const spending = new Spending(hub);
  const names = new Names({ hub, signal });
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  // The record may take long to read: how things stand does not wait for it.
  const sums = new Glances(async () => {
    const inSight = fleet.underWay.slice(0, lookOfOutput().rows);
    change({ spent: await spending.of(inSight, signal) });
  }, fail);
  const glances = new Glances(async () => {
    const underWay = await listUnderWay({ hub, signal }, pipelineId);
    change({ underWay, questions: await openQuestionsOf(hub, underWay, signal) });
    sums.soon();
  }, fail);
  const scene = new Scene();
  const teller = new EventTeller(new Set(["moves", "thoughts"]));
  glances.start();
  sums.start();
  try {
    const absence = {
      away: () => change({ isAway: true }),
      back: () => change({ isAway: false }),
      gone: (why: string) => view.say([goingOn(why)]),
    };
    const until = AbortSignal.any([signal, failed.signal]);
    for await (const { message } of followEvents({ ...watching, absence, signal: until })) {
      if (message.case !== "record") continue;
      const { value } = message;
      doing.hear(value);
      if (value.event?.payload.case === "taskTransition") glances.soon();
      const name = await names.of(value.pipelineId);
      const stageId = [name, value.stageId].filter(Boolean).join(" / ");
      const told = teller.tell(value).map(({ beat }) => ({ beat, stageId, at: value.recordedAt }));
      const beats = told.flatMap((one) => scene.show(one));
      view.say(beats.flatMap((beat) => renderBeat(lookOfOutput(), beat)));
    }
    return exitCode.ok;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    glances.stop();
    sums.stop();
    view.stop();
  }
}

/** What pipelines are called: each is asked for once. */
class Names {
  readonly #session: Pick<Session, "hub" | "signal">;
  readonly #known = new Map<string, string>();

  constructor(session: Pick<Session, "hub" | "signal">) {
    this.#session = session;
  }

  async of(pipelineId: string): Promise<string> {
    const known = this.#known.get(pipelineId);
    if (known !== undefined) return known;
    const { hub, signal } = this.#session;
    // One that has gone, or a hub that has, is no reason to stop: the id will do.
    const answer = await hub.orchestrator.getPipeline({ pipelineId }, { signal }).catch(() => undefined);
    const name = answer?.pipeline?.pipelineName || pipelineId;
    if (this.#known.size >= limits.listRows) this.#known.clear();
    if (answer !== undefined) this.#known.set(pipelineId, name);
    return name;
  }
}

/** The newest first. */
async function listUnderWay(
  { hub, signal }: Pick<Session, "hub" | "signal">,
  pipelineId: string | undefined,
): Promise<readonly Pipeline[]> {
  if (pipelineId !== undefined) {
    const { pipeline } = await hub.orchestrator.getPipeline({ pipelineId }, { signal });
    return pipeline === undefined ? [] : [pipeline];
  }
  const listed = await Promise.all(
    ["PAUSED", "RUNNING"].map((status) =>
      readPages(limits.watchedPipelines, async (place) => {
        const filter = `status = ${quote(`PIPELINE_STATUS_${status}`)}`;
        const request = { ...place, filter, orderBy: "created_at desc" };
        const { pipelines, nextPageToken } = await hub.orchestrator.listPipelines(request, { signal });
        return { rows: pipelines, nextPageToken };
      }),
    ),
  );
  return listed.flatMap(({ rows }) => rows);
}
