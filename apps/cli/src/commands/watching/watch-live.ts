import type { Pipeline } from "@baton/contract/forms";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { exitCode } from "../../exit-code.ts";
import { describeGap, type EventFollowOptions, followEvents } from "../../follow/follow-events.ts";
import { VerdictFollower, type VerdictFollowOptions } from "../../follow/follow-verdicts.ts";
import { Poller } from "../../follow/poller.ts";
import { quote } from "../../hub/filter.ts";
import { readPages } from "../../hub/read-pages.ts";
import { limits } from "../../limits.ts";
import { outputTerminal } from "../../output.ts";
import { openQuestionsOf } from "../../queries/list-escalations.ts";
import { Spending } from "../../queries/spending.ts";
import type { Session } from "../../session.ts";
import { Activities } from "../../story/activities.ts";
import { EventPrinter } from "../../story/event-printer.ts";
import { renderStoryLine, StageHeadings, type StoryLine } from "../../story/story-line.ts";
import { wrap } from "../../terminal/width.ts";
import { type LiveFleet, renderFleet } from "../../views/live/live-fleet.ts";
import { describeVerdict } from "./describe-verdict.ts";
import { startLiveArea } from "./start-live-area.ts";

/** Which verdicts are reported beside the events. */
export type VerdictScope = Pick<VerdictFollowOptions, "of" | "fromPast" | "follow">;

export const noRecord =
  "the key may not read the audit record (role audit): checks and rejections are not printed";

/** Prints events as a story, above a live view of all runs in progress. */
export async function watchLive(
  { hub, signal, invocation }: Session,
  eventOptions: Omit<EventFollowOptions, "listener">,
  verdictScope: VerdictScope | undefined,
  pipelineId?: string,
): Promise<number> {
  const activities = new Activities();
  let fleet: LiveFleet = {
    ...{ underWay: [], questions: new Map(), spent: new Map() },
    ...{ activities, isAway: false, invocation },
  };
  const view = startLiveArea((terminal, nowMs) => renderFleet(terminal, fleet, nowMs));
  const change = (news: Partial<LiveFleet>) => {
    fleet = { ...fleet, ...news };
    view.draw();
  };
  const spending = new Spending(hub);
  const names = new Names({ hub, signal });
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  // The audit record may take long to read; the states of runs do not wait for it.
  const sums = new Poller(async () => {
    const inSight = fleet.underWay.slice(0, outputTerminal().rows);
    change({ spent: await spending.of(inSight, signal) });
  }, fail);
  const poller = new Poller(async () => {
    const underWay = await listUnderWay({ hub, signal }, pipelineId);
    change({ underWay, questions: await openQuestionsOf(hub, underWay, signal) });
    sums.request();
  }, fail);
  const headings = new StageHeadings();
  const printer = new EventPrinter(new Set(["moves", "thoughts"]));
  const until = AbortSignal.any([signal, failed.signal]);
  const printStory = async (
    ofPipeline: string,
    ofStage: string,
    storyLines: readonly StoryLine[],
    at: Timestamp | undefined,
  ) => {
    const name = await names.of(ofPipeline);
    const stageId = [name, ofStage].filter(Boolean).join(" / ");
    const visible = storyLines.flatMap((storyLine) => headings.withHeading({ storyLine, stageId, at }));
    view.printAbove(visible.flatMap((storyLine) => renderStoryLine(outputTerminal(), storyLine)));
  };
  const verdicts =
    verdictScope &&
    new VerdictFollower({
      ...{ ...verdictScope, hub, signal: until, fail },
      onNoRecord: () => view.printAbove(wrap(noRecord, outputTerminal().columns - 1)),
      onVerdict: (verdict) =>
        printStory(
          verdict.of.pipelineId,
          verdict.of.stageId,
          describeVerdict(verdict, invocation),
          verdict.at,
        ),
    });
  poller.start();
  sums.start();
  try {
    await verdicts?.begin();
    const listener = {
      onDisconnect: () => change({ isAway: true }),
      onReconnect: () => change({ isAway: false }),
      onGap: (why: string) => view.printAbove([describeGap(why)]),
    };
    for await (const onMessage of followEvents({ ...eventOptions, listener, signal: until })) {
      await verdicts?.before(onMessage);
      const { message } = onMessage;
      if (message.case !== "record") continue;
      const { value } = message;
      activities.onEvent(value);
      if (value.event?.payload.case === "taskTransition") poller.request();
      const storyLines = printer.print(value).map(({ storyLine }) => storyLine);
      await printStory(value.pipelineId, value.stageId, storyLines, value.recordedAt);
    }
    return exitCode.ok;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    verdicts?.stop();
    poller.stop();
    sums.stop();
    view.stop();
  }
}

/** Names of runs, each queried once. */
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
    // An error is no reason to stop: the id is enough.
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
      readPages(limits.watchedPipelines, async (page) => {
        const filter = `status = ${quote(`PIPELINE_STATUS_${status}`)}`;
        const request = { ...page, filter, orderBy: "created_at desc" };
        const { pipelines, nextPageToken } = await hub.orchestrator.listPipelines(request, { signal });
        return { rows: pipelines, nextPageToken };
      }),
    ),
  );
  return listed.flatMap(({ rows }) => rows);
}
