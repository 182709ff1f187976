import { ArtifactAction, type FileDiff } from "@baton/contract/messages";

/** The action on a file, in a word. */
export function fileWord({ action, oldPath }: FileDiff): "new" | "deleted" | "renamed" | "changed" {
  if (action === ArtifactAction.CREATED) return "new";
  if (action === ArtifactAction.DELETED) return "deleted";
  return oldPath === "" ? "changed" : "renamed";
}

/** Notes about a file for a reviewer, besides its lines and whether it is a test. */
export function fileNotes(file: FileDiff): readonly string[] {
  const { binary, oldMode, newMode, hiddenCharacters, linesLeftOut } = file;
  return [
    binary ? "binary" : "",
    describeMode(oldMode, newMode),
    hiddenCharacters > 0 ? count(hiddenCharacters, "hidden character") : "",
    linesLeftOut > 0 ? `${count(linesLeftOut, "changed line")} not shown` : "",
  ].filter(Boolean);
}

/** An unusual mode of a new file, or a changed one of another. */
function describeMode(oldMode: string, newMode: string): string {
  if (newMode === "" || oldMode === newMode) return "";
  if (oldMode === "") return newMode === "100644" ? "" : modeWord(newMode);
  return `${modeWord(newMode)}, was ${modeWord(oldMode)}`;
}

function modeWord(mode: string): string {
  return modes[mode] ?? mode;
}

const modes: Readonly<Record<string, string>> = {
  100644: "file",
  100755: "executable",
  120000: "link",
  160000: "repository",
};

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
