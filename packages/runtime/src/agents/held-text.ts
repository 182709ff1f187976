/**
 * What is held back of an attempt, as the store keeps it for the next life of the hub: an agent that was told that its words
 * are durable does not say them again, and without the first half of a secret nobody would know the second.
 */
import { type Event, EventSchema, encodeBinary } from "@baton/contract";
import type { Undecided, UndecidedLine } from "@baton/kernel";
import { fromBinary } from "@bufbuild/protobuf";

export interface Held {
  readonly thought?: { readonly last: Event; readonly undecided: Undecided } | undefined;
  readonly pulse?: { readonly last: Event; readonly undecided: UndecidedLine } | undefined;
  /** Short ids of lines that have come and led to no event: nothing else would tell that they came. */
  readonly silent: readonly string[];
}

/** The form written now; a later one reads the earlier ones. */
const form = 1;

interface Written {
  readonly form: number;
  readonly thought?: readonly [event: string, undecided: Undecided];
  readonly pulse?: readonly [event: string, undecided: UndecidedLine];
  readonly silent?: readonly string[];
}

/** Empty when there is nothing. */
export function writeHeld({ thought, pulse, silent }: Held): string {
  if (!thought && !pulse && silent.length === 0) return "";
  const written: Written = {
    form,
    ...(thought && { thought: [writeEvent(thought.last), thought.undecided] }),
    ...(pulse && { pulse: [writeEvent(pulse.last), pulse.undecided] }),
    ...(silent.length > 0 && { silent }),
  };
  return JSON.stringify(written);
}

export function readHeld(text: string): Held {
  const { form: found, thought, pulse, silent = [] } = JSON.parse(text) as Written;
  if (found > form)
    throw new TypeError(`held back in form ${found}, and this version of Baton reads up to ${form}`);
  return {
    thought: thought && { last: readEvent(thought[0]), undecided: thought[1] },
    pulse: pulse && { last: readEvent(pulse[0]), undecided: pulse[1] },
    silent,
  };
}

/** Without what it says: that was told, or is what is undecided. */
function writeEvent(event: Event): string {
  const { payload } = event;
  const silenced: Event =
    payload.case === "thoughtStream"
      ? { ...event, payload: { case: payload.case, value: { ...payload.value, chunk: "" } } }
      : payload.case === "sandboxPulse"
        ? { ...event, payload: { case: payload.case, value: { ...payload.value, line: "" } } }
        : event;
  return Buffer.from(encodeBinary(EventSchema, silenced)).toString("base64url");
}

function readEvent(text: string): Event {
  return fromBinary(EventSchema, Buffer.from(text, "base64url"));
}
