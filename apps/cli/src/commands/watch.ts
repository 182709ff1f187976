import { encodeJson, type WatchEventsResponse, WatchEventsResponseSchema } from "@baton/contract/forms";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCode } from "../exit-code.ts";
import { describeAbsence } from "../hub/absence.ts";
import { all, quote } from "../hub/filter.ts";
import { findPipeline } from "../hub/find-pipeline.ts";
import { followEvents, goingOn, type Watching } from "../hub/follow-events.ts";
import { VerdictsBeside } from "../hub/follow-verdicts.ts";
import { mustBeAgent, mustBeStage } from "../hub/known-names.ts";
import type { Verdict } from "../hub/verdicts.ts";
import { EventTeller, type Heard } from "../narration/tell-event.ts";
import { tellVerdict } from "../narration/tell-verdict.ts";
import { renderLine } from "../narration/told-line.ts";
import { type Session, withHub } from "../session.ts";
import type { Look } from "../terminal/look.ts";
import type { AnswerWay } from "../views/how-to-answer.ts";
import { withExamples } from "./examples.ts";
import { addRunOption, type RunOption, runOf } from "./run-option.ts";
import { type Beside, noRecord, watchLive } from "./watch-live.ts";

/** As SAOP names them, in the letters of options. */
const types = [
  "thought-stream",
  "tool-lifecycle-invoked",
  "tool-lifecycle-completed",
  "task-transition",
  "sandbox-pulse",
] as const;

interface WatchOptions extends RunOption {
  readonly stage?: string;
  readonly agent?: string;
  readonly type?: (typeof types)[number];
  readonly after?: bigint;
  /** Commander's name for --no-follow. */
  readonly follow: boolean;
}

export function addWatch(program: Command): void {
  const watch = program
    .command("watch")
    .summary("watch everything that happens")
    .description(
      "Tells what all agents do, as it happens, until Ctrl-C. When the hub goes away it goes on where it was: " +
        "nothing is lost or told twice.",
    );
  addRunOption(watch, "only of this run; the beginning of its id will do")
    .option("--stage <id>", "only of stages with this id")
    .option("--agent <pack>", "only of this pack's agents, or of one of them: PACK/INSTANCE")
    .addOption(new Option("--type <type>", "only events of this type").choices([...types]))
    .option(
      "--after <sequence>",
      "begin after this event: 0 tells everything that is still kept",
      readSequence,
    )
    .option("--no-follow", "end when everything that has happened is told")
    .action((options: WatchOptions, command: Command) =>
      withHub(command, (session) => watchEvents(session, options)),
    );
  withExamples(watch, [
    [
      "baton watch",
      "what happens from now on: a story on a terminal; in a pipe a line an event, the pieces of a thought in one",
    ],
    ["baton watch --type thought-stream --stage review", "what those who review think"],
    [
      "baton watch --after 0 --no-follow --output jsonl > events.jsonl",
      "everything that is still kept, in a file",
    ],
  ]);
}

function ofAgent(name: string): readonly string[] {
  const at = name.indexOf("/");
  if (at < 0) return [`pack_id = ${quote(name)}`];
  return [`pack_id = ${quote(name.slice(0, at))}`, `instance_id = ${quote(name.slice(at + 1))}`];
}

/** One that cannot be a sequence number would be refused by the hub in its own words. */
function readSequence(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Give the number of an event, such as 0 or 128.");
}

async function watchEvents(session: Session, options: WatchOptions): Promise<number> {
  const { hub, signal, output, look } = session;
  const run = runOf(options);
  const pipeline = run === undefined ? undefined : await findPipeline(hub, run, signal);
  if (options.stage) await mustBeStage(hub, options.stage, pipeline, signal);
  if (options.agent) await mustBeAgent(hub, options.agent, signal);
  const filter = all(
    pipeline && `pipeline_id = ${quote(pipeline.pipelineId)}`,
    options.stage && `stage_id = ${quote(options.stage)}`,
    ...(options.agent === undefined ? [] : ofAgent(options.agent)),
    options.type && `type = ${options.type.toUpperCase().replaceAll("-", "_")}`,
  );
  // Whoever does not follow wants what has happened.
  const afterSequence = options.after ?? (options.follow ? undefined : 0n);
  const absence = {
    away: () => session.tell(describeAbsence(session.hub)),
    back: () => session.tell("the hub is back"),
    gone: (why: string) => session.tell(goingOn(why)),
  };
  const watching = { hub, signal, filter, afterSequence, absence };
  const beside = {
    of: {
      ...(pipeline && { pipelineId: pipeline.pipelineId }),
      ...(options.stage && { stageId: options.stage }),
      onlyHeard: options.agent !== undefined,
    },
    ...{ fromPast: afterSequence !== undefined, follow: options.follow },
  };
  // Whoever asks for events of one type gets those.
  const withVerdicts = options.type === undefined ? beside : undefined;
  if (output === "text" && look.canRedraw && options.follow)
    return watchLive(session, watching, withVerdicts, pipeline?.pipelineId);
  if (output === "text") return watchLines(session, watching, withVerdicts, options.follow);
  for await (const message of followEvents(watching)) {
    await session.writeJson(encodeJson(WatchEventsResponseSchema, message));
    if (message.message.case === "caughtUp" && !options.follow) break;
  }
  return exitCode.ok;
}

async function watchLines(
  session: Session,
  watching: Watching,
  beside: Beside | undefined,
  follow: boolean,
): Promise<number> {
  const { hub, way, look, write, tell: note } = session;
  const failed = new AbortController();
  const signal = AbortSignal.any([watching.signal, failed.signal]);
  const verdicts =
    beside &&
    new VerdictsBeside({
      ...{ ...beside, hub, signal },
      tell: (verdict) => write(linesOf(look, verdict, way)),
      onNoRecord: () => note(noRecord),
      fail: (error) => failed.abort(error),
    });
  const tell = lineByLine(session, !follow);
  try {
    await verdicts?.begin();
    for await (const message of followEvents({ ...watching, signal })) {
      await verdicts?.before(message);
      await tell(message);
      if (message.message.case === "caughtUp" && !follow) break;
    }
    return exitCode.ok;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    verdicts?.stop();
  }
}

/**
 * When, which one, where, what: the number is what `--after` takes. When no more is to come, what has not ended is told as
 * far as it went.
 */
function lineByLine(
  { look, write, tell }: Session,
  untilCaughtUp: boolean,
): (message: WatchEventsResponse) => Promise<void> {
  const teller = new EventTeller(new Set(["moves", "thoughts", "starts", "prints"]));
  const writeAll = (heard: readonly Heard[]) => write(heard.flatMap((one) => lineOf(look, one) ?? []));
  return async ({ message }) => {
    if (message.case === "dropped") tell(`the hub did not wait for us: ${message.value.reason}; going on`);
    if (message.case === "record") await writeAll(teller.tell(message.value));
    if (message.case === "caughtUp" && untilCaughtUp) await writeAll(teller.end());
  };
}

function lineOf(look: Look, { beat, event }: Heard): string | undefined {
  const { sequence, pipelineId, stageId, recordedAt } = event;
  return renderLine(
    look,
    { beat, stageId: placeOf(String(sequence), pipelineId, stageId), at: recordedAt },
    0,
  );
}

/** A verdict is no event and has no number. */
function linesOf(look: Look, verdict: Verdict, way: AnswerWay): readonly string[] {
  const { at, of } = verdict;
  const stageId = placeOf("-", of.pipelineId, of.stageId);
  return tellVerdict(verdict, way).flatMap((beat) => renderLine(look, { beat, stageId, at }, 0) ?? []);
}

function placeOf(number: string, pipelineId: string, stageId: string): string {
  return `${number}  ${[pipelineId, stageId].filter(Boolean).join("/")}`;
}
