import { type Event, EventRecordSchema, EventSchema } from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { bytesTooLarge, sizeLimits, tooLargeCode } from "../events/event-size.ts";
import { splitEvent } from "../events/split-event.ts";
import { HubError } from "../ports/hub-error.ts";

/** Longest name of a check: each piece of a long line repeats it. */
const maxNameLength = 4_096;

const record = create(EventRecordSchema);

/** With a record around it, as it is published, so that nothing nests too deep later. Throws `RedactionFailure`. */
export function maskEvent(redactor: Redactor, event: Event): Event {
  const { message } = redactor.redactMessage(EventRecordSchema, { ...record, event });
  if (!message.event) throw new RedactionFailure("BATON-REDACTION-101");
  return message.event;
}

/** In pieces that can be published. Their words are masked already; the other fields are not. */
export function maskPieces(redactor: Redactor, events: readonly Event[]): readonly Event[] {
  return events.flatMap(splitEvent).map((event) => maskEvent(redactor, event));
}

/** Refuses an event that could not be published. */
export function maskWholeEvent(redactor: Redactor, event: Event): Event {
  const masked = refuseUnmasked(() => maskEvent(redactor, event));
  const bytes = bytesTooLarge(EventSchema, masked);
  if (bytes === undefined) return masked;
  const text = `the event has ${bytes} bytes with its secrets masked, and ${sizeLimits.bytes} can be shown`;
  throw new HubError("invalid", tooLargeCode, text, {
    fix: "send less: refer to large content by its path and digest",
  });
}

/** Refuses what cannot be redacted. */
export function refuseUnmasked<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    throw new HubError("internal", error.code, `the report is refused: ${error.message}`, {
      fix: "send less at once; if that does not help, ask the operator of the hub to look into its log",
    });
  }
}

export function refuseLongName({ payload }: Event): void {
  if (payload.case !== "sandboxPulse" || payload.value.check.length <= maxNameLength) return;
  const text = `the name of the check has ${payload.value.check.length} characters, and ${maxNameLength} can be shown`;
  throw new HubError("invalid", tooLargeCode, text, { fix: "give the check a short name" });
}
