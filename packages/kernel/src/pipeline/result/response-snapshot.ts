import type { ResponseSnapshot, StructuredResponse } from "@baton/contract";
import { cutAtWord } from "../../brief.ts";

/** Characters of each text and of the data in the audit record. The attempt has all of it. */
export const maxRecordedChars = 65_536;

/** A structured answer as the audit record has it, with its thought (SAC-10; SACP §9.2). */
export function responseSnapshot(response: StructuredResponse): ResponseSnapshot {
  const { thought, status, data, message, nextStepHint } = response;
  const dataJson = data === undefined ? "" : JSON.stringify(data);
  const fits = dataJson.length <= maxRecordedChars;
  return {
    $typeName: "vasini.agent.v1.ResponseSnapshot",
    thought: cutAtWord(thought, maxRecordedChars),
    status,
    dataJson: fits ? dataJson : "",
    message: cutAtWord(message, maxRecordedChars),
    nextStepHint: cutAtWord(nextStepHint, maxRecordedChars),
    dataLeftOutChars: fits ? 0 : dataJson.length,
  };
}
