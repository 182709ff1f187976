import { charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { restOfValue } from "../../scan/tail.ts";
import { lookbehind } from "../../scan/window.ts";
import { isPlaceholder } from "../placeholder.ts";

/** The password in `curl -u user:password`. Other commands mean a user and a group by it. */
export const detectCurlUser: Detector = {
  kind: "curl-credentials",
  anchors: [" -u ", " --user "],
  examine: (window, start, end) => {
    const value = window.isOneOf(end, "\"'") ? end + 1 : end;
    const until = window.endOfRun(charClass.visible, value, value + 64);
    const colon = window.slice(value, until).indexOf(":");
    if (colon < 1 || value + colon + 1 >= until) return undefined;
    const password = value + colon + 1;
    if (isPlaceholder(window.slice(password, until).replace(/["']$/, ""))) return undefined;
    if (!window.slice(start - lookbehind, start).includes("curl")) return undefined;
    return { start: password, end: password + 1, tail: restOfValue };
  },
};
