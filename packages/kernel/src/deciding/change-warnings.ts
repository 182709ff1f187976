import { ArtifactAction, type GetPipelineChangesResponse } from "@baton/contract/messages";
import { count } from "./file-words.ts";

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
