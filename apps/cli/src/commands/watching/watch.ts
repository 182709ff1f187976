import { encodeJson, type WatchEventsResponse, WatchEventsResponseSchema } from "@baton/contract/forms";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCode } from "../../exit-code.ts";
import { describeGap, type EventFollowOptions, followEvents } from "../../follow/follow-events.ts";
import { VerdictFollower } from "../../follow/follow-verdicts.ts";
import { describeOutage } from "../../follow/reconnect.ts";
import type { Verdict } from "../../follow/verdicts.ts";
import { all, quote } from "../../hub/filter.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { requireAgent, requireStage } from "../../queries/known-names.ts";
import { type Session, withHub } from "../../session.ts";
import { EventPrinter, type PrintedEvent } from "../../story/event-printer.ts";
import { renderPlainLine } from "../../story/plain-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { Invocation } from "../../views/inbox/answer-commands.ts";
import { withExamples } from "../options/examples.ts";
import { addRunOption, type RunOption, runOf } from "../options/run-option.ts";
import { describeVerdict } from "./describe-verdict.ts";
import { noRecord, type VerdictScope, watchLive } from "./watch-live.ts";

/** SAOP's event types, spelled as option values. */
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
    .description(
      "Prints the events of all runs live, until Ctrl-C. After an outage of the hub it resumes without gaps and " +
        "without duplicates.",
    );
  addRunOption(watch, "only events of this run; the beginning of its id is enough")
    .option("--stage <id>", "only events of stages with this id")
    .option("--agent <pack>", "only events of agents of this pack, or of PACK/INSTANCE")
    .addOption(new Option("--type <type>", "only events of this type").choices([...types]))
    .option("--after <sequence>", "start after this event; 0 prints all stored events", readSequence)
    .option("--no-follow", "exit after the stored events")
    .action((options: WatchOptions, command: Command) =>
      withHub(command, (session) => watchEvents(session, options)),
    );
  withExamples(watch, [
    ["baton watch", "new events: a story on a terminal, one line per event in a pipe"],
    ["baton watch --type thought-stream --stage review", "the thoughts of reviewers"],
    ["baton watch --after 0 --no-follow --output jsonl > events.jsonl", "all stored events as a file"],
  ]);
}

function ofAgent(name: string): readonly string[] {
  const at = name.indexOf("/");
  if (at < 0) return [`pack_id = ${quote(name)}`];
  return [`pack_id = ${quote(name.slice(0, at))}`, `instance_id = ${quote(name.slice(at + 1))}`];
}

/** Refused here, because the hub's error would not name the option. */
function readSequence(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Give the number of an event, such as 0 or 128.");
}

async function watchEvents(session: Session, options: WatchOptions): Promise<number> {
  const { hub, signal, output, terminal } = session;
  const run = runOf(options);
  const pipeline = run === undefined ? undefined : await findPipeline(hub, run, signal);
  if (options.stage) await requireStage(hub, options.stage, pipeline, signal);
  if (options.agent) await requireAgent(hub, options.agent, signal);
  const filter = all(
    pipeline && `pipeline_id = ${quote(pipeline.pipelineId)}`,
    options.stage && `stage_id = ${quote(options.stage)}`,
    ...(options.agent === undefined ? [] : ofAgent(options.agent)),
    options.type && `type = ${options.type.toUpperCase().replaceAll("-", "_")}`,
  );
  // Without --follow, the past is wanted.
  const afterSequence = options.after ?? (options.follow ? undefined : 0n);
  const listener = {
    onDisconnect: () => session.printNote(describeOutage(session.hub)),
    onReconnect: () => session.printNote("the hub is back"),
    onGap: (why: string) => session.printNote(describeGap(why)),
  };
  const eventOptions = { hub, signal, filter, afterSequence, listener };
  const verdictScope = {
    of: {
      ...(pipeline && { pipelineId: pipeline.pipelineId }),
      ...(options.stage && { stageId: options.stage }),
      onlyActive: options.agent !== undefined,
    },
    ...{ fromPast: afterSequence !== undefined, follow: options.follow },
  };
  // --type selects events of one type, and verdicts are no events.
  const withVerdicts = options.type === undefined ? verdictScope : undefined;
  if (output === "text" && terminal.canRedraw && options.follow)
    return watchLive(session, eventOptions, withVerdicts, pipeline?.pipelineId);
  if (output === "text") return watchLines(session, eventOptions, withVerdicts, options.follow);
  for await (const message of followEvents(eventOptions)) {
    await session.writeJson(encodeJson(WatchEventsResponseSchema, message));
    if (message.message.case === "caughtUp" && !options.follow) break;
  }
  return exitCode.ok;
}

async function watchLines(
  session: Session,
  eventOptions: EventFollowOptions,
  verdictScope: VerdictScope | undefined,
  follow: boolean,
): Promise<number> {
  const { hub, invocation, terminal, write, printNote: note } = session;
  const failed = new AbortController();
  const signal = AbortSignal.any([eventOptions.signal, failed.signal]);
  const verdicts =
    verdictScope &&
    new VerdictFollower({
      ...{ ...verdictScope, hub, signal },
      onVerdict: (verdict) => write(linesOf(terminal, verdict, invocation)),
      onNoRecord: () => note(noRecord),
      fail: (error) => failed.abort(error),
    });
  const printNote = lineByLine(session, !follow);
  try {
    await verdicts?.begin();
    for await (const message of followEvents({ ...eventOptions, signal })) {
      await verdicts?.before(message);
      await printNote(message);
      if (message.message.case === "caughtUp" && !follow) break;
    }
    return exitCode.ok;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    verdicts?.stop();
  }
}

/** Prints one line per event, with the number that `--after` takes. At the end, unfinished thoughts are printed too. */
function lineByLine(
  { terminal, write, printNote }: Session,
  untilCaughtUp: boolean,
): (message: WatchEventsResponse) => Promise<void> {
  const printer = new EventPrinter(new Set(["moves", "thoughts", "starts", "prints"]));
  const writeAll = (onMessage: readonly PrintedEvent[]) =>
    write(onMessage.flatMap((one) => lineOf(terminal, one) ?? []));
  return async ({ message }) => {
    if (message.case === "dropped")
      printNote(`the hub dropped this watcher: ${message.value.reason}; resuming`);
    if (message.case === "record") await writeAll(printer.print(message.value));
    if (message.case === "caughtUp" && untilCaughtUp) await writeAll(printer.end());
  };
}

function lineOf(terminal: Terminal, { storyLine, event }: PrintedEvent): string | undefined {
  const { sequence, pipelineId, stageId, recordedAt } = event;
  return renderPlainLine(
    terminal,
    { storyLine, stageId: positionOf(String(sequence), pipelineId, stageId), at: recordedAt },
    0,
  );
}

/** A verdict is no event, so it has no number. */
function linesOf(terminal: Terminal, verdict: Verdict, invocation: Invocation): readonly string[] {
  const { at, of } = verdict;
  const stageId = positionOf("-", of.pipelineId, of.stageId);
  return describeVerdict(verdict, invocation).flatMap(
    (storyLine) => renderPlainLine(terminal, { storyLine, stageId, at }, 0) ?? [],
  );
}

function positionOf(number: string, pipelineId: string, stageId: string): string {
  return `${number}  ${[pipelineId, stageId].filter(Boolean).join("/")}`;
}
