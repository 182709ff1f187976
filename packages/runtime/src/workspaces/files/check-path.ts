/**
 * Validates a path that an agent reported: relative, with slashes, and unambiguous on every file system. A valid path
 * is still only a name: `openInside` checks where it leads.
 */
export type PathCheck =
  | { readonly ok: true; readonly parts: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const maxPathLength = 4_096;
const maxPartBytes = 255;

export function checkPath(path: string): PathCheck {
  if (path === "") return invalid("it is empty");
  if (path.length > maxPathLength) return invalid(`it is longer than ${maxPathLength} characters`);
  if (hasControlCharacters(path)) return invalid("it has a control character");
  if (path.includes("\\")) return invalid("it has a backslash, which is a separator on some systems");
  if (path.startsWith("/")) return invalid("it is absolute");
  const parts = path.split("/");
  for (const part of parts) {
    const reason = invalidNameReason(part);
    if (reason !== undefined) return invalid(reason);
  }
  return { ok: true, parts };
}

/** Includes tabs and line breaks, because names go to logs and reasons, and lone surrogates. */
function hasControlCharacters(path: string): boolean {
  if (!path.isWellFormed()) return true;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function invalidNameReason(part: string): string | undefined {
  if (part === "") return "it has an empty part";
  if (part === "." || part === "..") return `it contains "${part}"`;
  if (Buffer.byteLength(part) > maxPartBytes) return `a part of it is longer than ${maxPartBytes} bytes`;
  // A drive letter or an alternate data stream.
  if (part.includes(":")) return "it has a colon, which names a drive or stream on some systems";
  // Windows ignores them: "x. " is "x".
  if (/[. ]$/.test(part)) return "a part of it ends with a dot or a space, which some systems ignore";
  if (isGitFolder(part)) return "it leads into .git";
  return undefined;
}

/** Some file systems fold case, have short names, or ignore invisible characters. */
function isGitFolder(part: string): boolean {
  const folded = part.normalize("NFKC").replaceAll(invisible, "").toLowerCase();
  return folded === ".git" || /^git~\d+$/.test(folded);
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function invalid(reason: string): PathCheck {
  return { ok: false, reason };
}
