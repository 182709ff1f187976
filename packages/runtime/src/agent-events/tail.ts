import { type Event, EventSchema, encodeBinary } from "@baton/contract";
import type { Undecided, UndecidedLine } from "@baton/kernel";
import { fromBinary } from "@bufbuild/protobuf";

/**
 * What an attempt has reported and the hub has not published, as the store keeps it for a restart: an agent does not repeat
 * words that were acknowledged, and without the first half of a secret nobody would recognise the second.
 */
export interface Tail {
  readonly thought?: { readonly last: Event; readonly undecided: Undecided } | undefined;
  readonly pulse?: { readonly last: Event; readonly undecided: UndecidedLine } | undefined;
  /** Short ids of lines that led to no event. */
  readonly silent: readonly string[];
}

/** The form written now; a later version reads the earlier forms. */
const form = 1;

interface Written {
  readonly form: number;
  readonly thought?: readonly [event: string, undecided: Undecided];
  readonly pulse?: readonly [event: string, undecided: UndecidedLine];
  readonly silent?: readonly string[];
}

/** Empty when there is nothing. */
export function writeTail({ thought, pulse, silent }: Tail): string {
  if (!thought && !pulse && silent.length === 0) return "";
  const written: Written = {
    form,
    ...(thought && { thought: [writeEvent(thought.last), thought.undecided] }),
    ...(pulse && { pulse: [writeEvent(pulse.last), pulse.undecided] }),
    ...(silent.length > 0 && { silent }),
  };
  return JSON.stringify(written);
}

export function readTail(text: string): Tail {
  const { form: found, thought, pulse, silent = [] } = JSON.parse(text) as Written;
  if (found > form)
    throw new TypeError(`tail in form ${found}, and this version of Baton reads up to ${form}`);
  return {
    thought: thought && { last: readEvent(thought[0]), undecided: thought[1] },
    pulse: pulse && { last: readEvent(pulse[0]), undecided: pulse[1] },
    silent,
  };
}

/** Without its words, which are published or undecided. */
function writeEvent({ payload, ...event }: Event): string {
  const { value } = payload;
  const text = payload.case === "thoughtStream" ? { chunk: "" } : { line: "" };
  const bare = { ...event, payload: { ...payload, value: { ...value, ...text } } } as Event;
  return Buffer.from(encodeBinary(EventSchema, bare)).toString("base64url");
}

function readEvent(text: string): Event {
  return fromBinary(EventSchema, Buffer.from(text, "base64url"));
}
