import type { Detector } from "../../scan/detector.ts";
import { none, type Window } from "../../scan/window.ts";
import { isPlaceholder } from "../placeholder.ts";

const maxUserInfoLength = 512;
/** A user name of this length with a digit is a token: `https://<token>@host`. */
const minTokenLength = 16;
const ends = " \t\r\n/?#\"'<>`\\";

/** The password in `scheme://user:password@host`, as connection strings and clone addresses have it. */
export const detectUrlCredentials: Detector = {
  kind: "url-credentials",
  // In a path or a key, the slashes of an address are percent-encoded.
  anchors: ["://", ":%2F%2F", ":%2f%2f"],
  examine: (window, _, authority) => {
    const { colon, at } = readUserInfo(window, authority);
    if (at === undefined) return undefined;
    if (colon === undefined) {
      const user = window.slice(authority, at);
      const isToken = user.length >= minTokenLength && /\d/.test(user) && !isPlaceholder(user);
      return isToken ? { start: authority, end: at } : undefined;
    }
    const isSecret = at > colon + 1 && !isPlaceholder(window.slice(colon + 1, Math.min(at, colon + 65)));
    return isSecret ? { start: colon + 1, end: at } : undefined;
  },
};

/** Passwords may contain "@" and ":", so the first colon and the last "@" before the host count. */
function readUserInfo(window: Window, authority: number): { colon?: number; at?: number } {
  let colon: number | undefined;
  let at: number | undefined;
  const isEncoded = window.code(authority - 1) !== 0x2f;
  for (let position = authority; position < authority + maxUserInfoLength; position++) {
    const code = window.code(position);
    if (code === none || ends.includes(String.fromCharCode(code))) break;
    if (isEncoded && isSlash(window, position)) break;
    if (code === 0x3a && colon === undefined && at === undefined) colon = position;
    if (code === 0x40) at = position;
  }
  return { ...(colon !== undefined && { colon }), ...(at !== undefined && { at }) };
}

/** `%2F`, in either case. */
function isSlash(window: Window, position: number): boolean {
  return window.code(position) === 0x25 && /^%2f$/i.test(window.slice(position, position + 3));
}
