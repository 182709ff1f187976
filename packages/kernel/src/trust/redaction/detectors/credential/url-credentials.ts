import type { Detector } from "../../scan/detector.ts";
import { none, type Window } from "../../scan/window.ts";
import { isPlaceholder } from "../placeholder.ts";

const maxUserInfoLength = 512;
/** A user name this long with a digit in it is a token: `https://<token>@host`. */
const minTokenLength = 16;
const ends = " \t\r\n/?#\"'<>`\\";

/** The password in `scheme://user:password@host`, as connection strings and clone addresses have it. */
export const detectUrlCredentials: Detector = {
  kind: "url-credentials",
  // An address that is part of a path or a key has its slashes written out.
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
  const isWrittenOut = window.code(authority - 1) !== 0x2f;
  for (let place = authority; place < authority + maxUserInfoLength; place++) {
    const code = window.code(place);
    if (code === none || ends.includes(String.fromCharCode(code))) break;
    if (isWrittenOut && isSlash(window, place)) break;
    if (code === 0x3a && colon === undefined && at === undefined) colon = place;
    if (code === 0x40) at = place;
  }
  return { ...(colon !== undefined && { colon }), ...(at !== undefined && { at }) };
}

/** `%2F`, in letters of either size. */
function isSlash(window: Window, place: number): boolean {
  return window.code(place) === 0x25 && /^%2f$/i.test(window.slice(place, place + 3));
}
