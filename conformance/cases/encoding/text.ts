/** Text in every form that UTF-8 can carry. Escapes, so that the source shows what an editor would hide. */
import { type Case, valid } from "../case.ts";
import { minimalTurn } from "../messages/turn.ts";
import { ofLength } from "../parts.ts";
import { patch } from "../patch.ts";
import { minimalSubmit } from "../services/submit.ts";

const thought = (name: string, shows: string, text: string) =>
  valid(`text-${name}`, "TurnEnvelope", shows, patch(minimalTurn, { "content.thought": text }));

export const textCases: readonly Case[] = [
  thought(
    "astral",
    "Characters beyond the basic plane, which UTF-16 writes as pairs.",
    "\u{1F469}\u{200D}\u{1F680} \u{10FFFF}",
  ),
  thought(
    "combining",
    "Two spellings of one letter stay two: nobody may normalise text.",
    "\u00E9 e\u0301 \u1E9B\u0323",
  ),
  thought(
    "right-to-left",
    "Hebrew and Arabic, with a mark that turns the direction.",
    "\u05E9\u05DC\u05D5\u05DD \u0633\u0644\u0627\u0645 \u200F!",
  ),
  thought("nul", "The character of number zero is a character like any other.", "before\u0000after"),
  thought(
    "control",
    "Control characters, quotes and backslashes, which JSON escapes.",
    '\u0001\b\f\n\r\t\u001F"\\/\u007F\u0085\u2028\u2029',
  ),
  thought(
    "byte-order-mark",
    "A byte order mark at the beginning of a text is part of the text.",
    "\uFEFFtext",
  ),
  thought(
    "noncharacters",
    "Numbers that no character has, and a byte order mark inside a text.",
    "a\uFEFF\uFFFE\uFFFF",
  ),
  thought(
    "every-width",
    "Characters of one, two, three and four bytes, the first and the last of each.",
    "\u0001\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFD\u{10000}\u{10FFFD}",
  ),
  valid(
    "text-combining-at-a-limit",
    "SubmitTaskRequest",
    "128 letters with an accent each, as 256 code points: lengths are counted in code points, not in letters.",
    patch(minimalSubmit, { idempotency_key: ofLength(128, "e\u0301") }),
  ),
];
