import type { Event, TurnGap, Withheld } from "@baton/contract/messages";

/** What a line of the feed says where something is missing. */

export const removedText = "Events before this are not shown: they were removed because they were old.";

/** Added to it where turns that are kept longer stand in for them. */
export function turnsText(most: number, hasMore: boolean): string {
  const text = " What was said by then is told from the turns";
  return hasMore
    ? `${text}, the first ${most.toLocaleString("en")} of them; baton turns has all.`
    : `${text}.`;
}

export function linesText(count: number): string {
  const lines = count === 1 ? "1 line is" : `${count.toLocaleString("en")} lines are`;
  return `${lines} not shown: more came than are told while a command runs.`;
}

export function missingTurnsText({ firstIndex, lastIndex }: TurnGap): string {
  const turns =
    firstIndex === lastIndex ? `Turn ${firstIndex} is` : `Turns ${firstIndex} to ${lastIndex} are`;
  return `${turns} not shown: lost on the way, or removed because of age.`;
}

export function trimmedText(count: number, most: number): string {
  const lines = count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
  return `${lines} before these are not shown: a feed keeps the last ${most.toLocaleString("en")}.`;
}

/** In the place of an event that is there and cannot be shown. */
export function withheldText(kind: Event["payload"]["case"], { code, reason }: Withheld): string {
  return `${kinds[kind ?? ""] ?? "Something"} is not shown: ${reason} (${code}).`;
}

const kinds: Readonly<Record<string, string>> = {
  thoughtStream: "A thought",
  toolInvoked: "A call of a tool",
  toolCompleted: "The end of a call",
  taskTransition: "A transition",
  sandboxPulse: "A line of output",
};

export function cutTurnText(
  { turnIndex }: { readonly turnIndex: number },
  { code, reason }: Withheld,
): string {
  return `Turn ${turnIndex} is not shown whole: ${reason} (${code}).`;
}
