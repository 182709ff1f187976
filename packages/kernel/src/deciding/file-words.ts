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
  const isSame = oldMode === newMode || newMode === "";
  const modes = isSame ? "" : [modeWord(oldMode), modeWord(newMode)].filter(Boolean).join(" → ");
  return [
    binary ? "binary" : "",
    modes === "file" ? "" : modes,
    hiddenCharacters > 0 ? count(hiddenCharacters, "hidden character") : "",
    linesLeftOut > 0 ? `${count(linesLeftOut, "changed line")} not shown` : "",
  ].filter(Boolean);
}

function modeWord(mode: string): string {
  return modes[mode] ?? mode;
}

const modes: Readonly<Record<string, string>> = {
  "": "",
  100644: "file",
  100755: "executable",
  120000: "link",
  160000: "repository",
};

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
