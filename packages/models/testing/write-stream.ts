import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptedStream } from "./reply.ts";
import type { Wire, WireEvent } from "./wire/wire.ts";

const unknownParts = [
  ": a comment\n\n",
  'event: tomorrow\ndata: {"type":"tomorrow","value":1}\n\n',
  "retry: 10\n\n",
] as const;

/** Writes the events of an answer, with the faults of the script. */
export async function writeStream(
  response: ServerResponse,
  wire: Wire,
  events: readonly WireEvent[],
  faults: ScriptedStream,
): Promise<void> {
  const write = async (text: string) => {
    if (!faults.tornEvents) return void response.write(text);
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
  };
  let pieces = 0;
  for (const { isOutput, text } of events) {
    if (response.destroyed) return;
    const isDue = (after: number | undefined) => after !== undefined && isOutput && pieces >= after;
    if (isDue(faults.cutAfter)) return cut(response, faults.inEvent ? text : undefined);
    if (isDue(faults.endAfter)) return void response.end();
    if (isDue(faults.hangAfter)) return hang(response, wire, faults.pingEveryMs);
    if (isDue(faults.errorAfter)) {
      const { error = { type: "overloaded_error", message: "Overloaded" } } = faults;
      response.end(wire.errorEvent(error));
      return;
    }
    if (isOutput && faults.pieceDelayMs !== undefined) await sleep(faults.pieceDelayMs);
    await write(text);
    if (faults.unknownParts) for (const part of unknownParts) await write(part);
    if (isOutput) pieces++;
  }
  response.end();
}

/** Ends the connection as a failing proxy does. */
async function cut(response: ServerResponse, next: string | undefined): Promise<void> {
  if (next !== undefined) response.write(next.slice(0, Math.floor(next.length / 2)));
  // What was written must arrive before the connection is reset.
  await sleep(20);
  response.destroy();
}

async function hang(response: ServerResponse, wire: Wire, pingEveryMs: number | undefined): Promise<void> {
  const pinging =
    pingEveryMs === undefined ? undefined : setInterval(() => response.write(wire.ping), pingEveryMs);
  await once(response, "close");
  clearInterval(pinging);
}
