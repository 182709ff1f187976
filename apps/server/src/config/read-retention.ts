import { defaultRetention, type RetentionOptions } from "@baton/runtime";
import type { Given } from "./given.ts";

/** Reads `retention:`. What is `off` stays without end. */
export function readRetention(given: Given): RetentionOptions {
  given.only(["events_age", "events_bytes", "turns_age", "turns_bytes"]);
  const read = (key: string, usual: number | undefined, value: (one: Given) => number) => {
    const one = given.at(key);
    if (!one.isThere) return usual;
    // YAML reads a bare off as a text, and some writers of it as false.
    return one.value === "off" || one.value === false ? undefined : value(one);
  };
  const age = (one: Given) => one.durationMs();
  const bytes = (one: Given) => one.whole();
  return {
    eventsMs: read("events_age", defaultRetention.eventsMs, age),
    eventsBytes: read("events_bytes", defaultRetention.eventsBytes, bytes),
    turnsMs: read("turns_age", defaultRetention.turnsMs, age),
    turnsBytes: read("turns_bytes", defaultRetention.turnsBytes, bytes),
  };
}
