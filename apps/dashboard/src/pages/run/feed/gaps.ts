import type { Event, TurnGap, Withheld } from "@baton/contract/messages";

/** Texts of feed lines that stand for missing content. */

export const removedText = "Earlier events were removed after their retention period.";

/** Appended when turns, which are kept longer, replace removed events. */
export function turnsText(count: number, hasMore: boolean): string {
  return hasMore
    ? ` The lines above are the first ${count.toLocaleString("en")} turns of the run. Run baton turns for all of them.`
    : " The lines above are from the turns of the run.";
}

export function linesText(count: number): string {
  return `${lines(count)} omitted: the command prints faster than output is published.`;
}

export function missingTurnsText({ firstIndex, lastIndex }: TurnGap): string {
  const turns =
    firstIndex === lastIndex ? `Turn ${firstIndex} is` : `Turns ${firstIndex} to ${lastIndex} are`;
  return `${turns} missing: lost, or removed after their retention period.`;
}

export function trimmedText(count: number, max: number): string {
  return `${lines(count)} dropped: the feed keeps the last ${max.toLocaleString("en")}.`;
}

export function withheldText(kind: Event["payload"]["case"], { code, reason }: Withheld): string {
  return `${kinds[kind ?? ""] ?? "Event"} withheld: ${reason} (${code}).`;
}

const kinds: Readonly<Record<string, string>> = {
  thoughtStream: "Thought",
  toolInvoked: "Tool call",
  toolCompleted: "Tool result",
  taskTransition: "Transition",
  sandboxPulse: "Output line",
};

export function truncatedTurnText(
  { turnIndex }: { readonly turnIndex: number },
  { code, reason }: Withheld,
): string {
  return `Turn ${turnIndex} is truncated: ${reason} (${code}).`;
}

function lines(count: number): string {
  return count === 1 ? "1 line" : `${count.toLocaleString("en")} lines`;
}
