import { ArtifactAction, type FileDiff } from "@baton/contract/messages";

/** What happened to a file, in a word. */
export function fileWord({ action, oldPath }: FileDiff): "new" | "deleted" | "renamed" | "changed" {
  if (action === ArtifactAction.CREATED) return "new";
  if (action === ArtifactAction.DELETED) return "deleted";
  return oldPath === "" ? "changed" : "renamed";
}

/** What else a reviewer has to know of a file, besides its lines and that it is a test. */
export function fileNotes(file: FileDiff): readonly string[] {
  const { binary, oldMode, newMode, hiddenCharacters, linesLeftOut } = file;
  return [
    binary ? "binary" : "",
    describeMode(oldMode, newMode),
    hiddenCharacters > 0 ? count(hiddenCharacters, "hidden character") : "",
    linesLeftOut > 0 ? `${count(linesLeftOut, "changed line")} not shown` : "",
  ].filter(Boolean);
}

/** What is unusual about the mode: of a new file, that it is not an ordinary one; of another, that it has changed. */
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
