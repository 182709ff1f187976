import {
  ArtifactAction,
  type ChangeSize,
  type FileDiff,
  type GetPipelineChangesResponse,
} from "@baton/contract/messages";

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

/** The size of a change, as `3 files, +120 -7`. */
export function describeSize({ files, addedLines, removedLines }: ChangeSize): string {
  if (files === 0) return "no change";
  const lines = addedLines + removedLines > 0 ? `, +${addedLines} -${removedLines}` : "";
  return `${files} ${files === 1 ? "file" : "files"}${lines}`;
}

/** Warnings about a change, most important first. */
export function changeWarnings({
  files,
  filesLeftOut,
  linesLeftOut,
}: Pick<GetPipelineChangesResponse, "files" | "filesLeftOut" | "linesLeftOut">): readonly string[] {
  const hidden = files.reduce((sum, { hiddenCharacters }) => sum + hiddenCharacters, 0);
  // New tests only add checks; changed ones may weaken them.
  const tests = files.filter(({ test, action }) => test && action !== ArtifactAction.CREATED).length;
  const binary = files.filter((file) => file.binary).length;
  return [
    hidden > 0
      ? `${count(hidden, "character")} cannot be seen or change the direction of text: each is written out as its code.`
      : "",
    tests > 0 ? `${count(tests, "test file")} that existed before ${was(tests)} changed or removed.` : "",
    binary > 0 ? `${count(binary, "binary file")} ${was(binary)} changed: the content is not shown.` : "",
    filesLeftOut > 0
      ? `${count(filesLeftOut, "more file")} ${was(filesLeftOut)} changed and not listed.`
      : "",
    linesLeftOut > 0
      ? `${count(linesLeftOut, "changed line")} ${linesLeftOut === 1 ? "is" : "are"} not shown.`
      : "",
  ].filter(Boolean);
}

function was(number: number): string {
  return number === 1 ? "was" : "were";
}

/** Common folders and names of tests, in common languages. */
const folders = /(^|\/)(tests?|__tests__|specs?|e2e|testdata|fixtures|__snapshots__)\//i;
const names =
  /(^|\/)(test_[^/]*|conftest|[^/]*([._-](test|tests|spec|e2e)|Tests?|Spec))\.[^/.]+$|\.(snap|feature)$/;

/** Whether a path looks like a test. Changed tests may hide that the work is wrong. */
export function isTestFile(path: string): boolean {
  return folders.test(path) || names.test(path);
}
