/**
 * Names of files as agents give them: paths below the folder they work in, with slashes. What could mean another place,
 * on any file system, is none. A name that passes is still only a name: `openInside` looks where it leads.
 */
export type PathCheck =
  | { readonly ok: true; readonly parts: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const longestPath = 4_096;
const longestPart = 255;

export function checkPath(path: string): PathCheck {
  if (path === "") return refused("it is empty");
  if (path.length > longestPath) return refused(`it is longer than ${longestPath} characters`);
  if (hasControls(path)) return refused("it has a character in it that no name has");
  if (path.includes("\\")) return refused("it has a backslash in it, which is a separator on some systems");
  if (path.startsWith("/")) return refused("it is absolute");
  const parts = path.split("/");
  for (const part of parts) {
    const reason = whyNoName(part);
    if (reason !== undefined) return refused(reason);
  }
  return { ok: true, parts };
}

/** Tabs and line breaks too: a name is shown in logs and reasons. Halves of a character are no text at all. */
function hasControls(path: string): boolean {
  if (!path.isWellFormed()) return true;
  for (let place = 0; place < path.length; place++) {
    const code = path.charCodeAt(place);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function whyNoName(part: string): string | undefined {
  if (part === "") return "it has an empty part in it";
  if (part === "." || part === "..") return `it has "${part}" in it`;
  if (Buffer.byteLength(part) > longestPart) return `a part of it is longer than ${longestPart} bytes`;
  // A drive, or a second stream of a file, where there are such.
  if (part.includes(":")) return "it has a colon in it, which names another place on some systems";
  // These are dropped where nobody sees it: "x. " is "x".
  if (/[. ]$/.test(part)) return "a part of it ends with a dot or a space, which some systems leave out";
  if (meansGit(part)) return "it leads into .git, which is git's own";
  return undefined;
}

/** Some file systems fold case, shorten names, and skip characters that nobody sees. */
function meansGit(part: string): boolean {
  const seen = part.normalize("NFKC").replaceAll(invisible, "").toLowerCase();
  return seen === ".git" || /^git~\d+$/.test(seen);
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

function refused(reason: string): PathCheck {
  return { ok: false, reason };
}
