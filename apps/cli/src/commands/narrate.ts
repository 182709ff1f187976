import type { Pipeline } from "@baton/contract/forms";
import { describeAbsence } from "../hub/absence.ts";
import type { Seen } from "../hub/standing.ts";
import { renderBeat, type Told } from "../narration/beat.ts";
import { Doing } from "../narration/doing.ts";
import { Scene } from "../narration/scene.ts";
import { tellStory } from "../narration/story.ts";
import type { Extra } from "../narration/tell-event.ts";
import { renderLine, stageWidth } from "../narration/told-line.ts";
import type { Session } from "../session.ts";
import { type LiveState, renderLive } from "../views/live-view.ts";
import { lookOfOutput } from "../writing.ts";
import { startPicture } from "./start-picture.ts";

interface Narrating {
  readonly untilItWaits: boolean;
  readonly extras: readonly Extra[];
}

const noRecord = "the record is not yours to read (role audit): only states and tools are told";

/** Tells what happens to a pipeline: to a person as a story above a live picture, in a pipe as one line an event. */
export function narrate(session: Session, pipeline: Pipeline, how: Narrating): Promise<Seen> {
  return session.look.canRedraw ? narrateLive(session, pipeline, how) : narrateLines(session, pipeline, how);
}

function narrateLines(session: Session, pipeline: Pipeline, how: Narrating): Promise<Seen> {
  const { hub, signal, look } = session;
  const width = stageWidth(pipeline.stages.map(({ stageId }) => stageId));
  return tellStory({
    ...{ hub, pipeline, signal, untilItWaits: how.untilItWaits },
    extras: ["moves", ...how.extras],
    tell: async (told) => {
      const line = renderLine(look, told, width);
      if (line !== undefined) await session.write([line]);
    },
    watcher: {
      away: () => session.tell(describeAbsence(session.hub)),
      back: () => session.tell("the hub is back"),
    },
  });
}

async function narrateLive(session: Session, pipeline: Pipeline, how: Narrating): Promise<Seen> {
  const { hub, signal } = session;
  const doing = new Doing();
  const state: { -readonly [Field in keyof LiveState]: LiveState[Field] } = {
    ...{ seen: { pipeline, questions: [] }, doing, isAway: false },
  };
  const view = startPicture((look, nowMs) => renderLive(look, state, nowMs));
  const change = (news: Partial<LiveState>) => {
    Object.assign(state, news);
    view.draw();
  };
  const scene = new Scene();
  try {
    return await tellStory({
      ...{ hub, pipeline, signal, ...how },
      tell: async (told: Told) => {
        view.say(scene.show(told).flatMap((beat) => renderBeat(lookOfOutput(), beat)));
      },
      watcher: {
        seen: (seen) => change({ seen }),
        away: () => change({ isAway: true }),
        back: () => change({ isAway: false }),
      },
      hear: (event) => doing.hear(event),
      read: (entry) => doing.read(entry),
      onNoRecord: () => view.say(["", noRecord]),
    });
  } finally {
    view.stop();
  }
}
