import type { Pipeline } from "@baton/contract/forms";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { exitCode } from "../exit-code.ts";
import { quote } from "../hub/filter.ts";
import { followEvents, goingOn, type Watching } from "../hub/follow-events.ts";
import { type FollowingVerdicts, VerdictsBeside } from "../hub/follow-verdicts.ts";
import { Glances } from "../hub/glances.ts";
import { openQuestionsOf } from "../hub/list-escalations.ts";
import { readPages } from "../hub/read-pages.ts";
import { Spending } from "../hub/spending.ts";
import { limits } from "../limits.ts";
import { type Beat, renderBeat } from "../narration/beat.ts";
import { Doing } from "../narration/doing.ts";
import { Scene } from "../narration/scene.ts";
import { EventTeller } from "../narration/tell-event.ts";
import { tellVerdict } from "../narration/tell-verdict.ts";
import type { Session } from "../session.ts";
import { wrap } from "../terminal/width.ts";
import { type LiveFleet, renderFleet } from "../views/live-fleet.ts";
import { lookOfOutput } from "../writing.ts";
import { startPicture } from "./start-picture.ts";

/** Whose verdicts are told beside the events. */
export type Beside = Pick<FollowingVerdicts, "of" | "fromPast" | "follow">;

export const noRecord =
  "the record is not yours to read (role audit): what was caught or rejected is not told";

/** What happens as a story, above a picture of everything that is under way. */
export async function watchLive(
  { hub, signal, way }: Session,
  watching: Omit<Watching, "absence">,
  beside: Beside | undefined,
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
  const until = AbortSignal.any([signal, failed.signal]);
  const say = async (
    ofPipeline: string,
    ofStage: string,
    beats: readonly Beat[],
    at: Timestamp | undefined,
  ) => {
    const name = await names.of(ofPipeline);
    const stageId = [name, ofStage].filter(Boolean).join(" / ");
    const shown = beats.flatMap((beat) => scene.show({ beat, stageId, at }));
    view.say(shown.flatMap((beat) => renderBeat(lookOfOutput(), beat)));
  };
  const verdicts =
    beside &&
    new VerdictsBeside({
      ...{ ...beside, hub, signal: until, fail },
      onNoRecord: () => view.say(wrap(noRecord, lookOfOutput().columns - 1)),
      tell: (verdict) =>
        say(verdict.of.pipelineId, verdict.of.stageId, tellVerdict(verdict, way), verdict.at),
    });
  glances.start();
  sums.start();
  try {
    await verdicts?.begin();
    const absence = {
      away: () => change({ isAway: true }),
      back: () => change({ isAway: false }),
      gone: (why: string) => view.say([goingOn(why)]),
    };
    for await (const heard of followEvents({ ...watching, absence, signal: until })) {
      await verdicts?.before(heard);
      const { message } = heard;
      if (message.case !== "record") continue;
      const { value } = message;
      doing.hear(value);
      if (value.event?.payload.case === "taskTransition") glances.soon();
      const beats = teller.tell(value).map(({ beat }) => beat);
      await say(value.pipelineId, value.stageId, beats, value.recordedAt);
    }
    return exitCode.ok;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    verdicts?.stop();
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
