import { charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { goesOn, hasDigits, numberStarts, readGroups } from "./number-groups.ts";

/** `123-45-6789`, of the issued ranges. */
export const detectSocialSecurityNumber: Detector = {
  kind: "ssn",
  anchors: numberStarts,
  minCut: 3,
  mayBegin: (text, _, end) => hasDigits(text, end - 1, 9),
  examine: (window, _, anchorEnd) => {
    const start = anchorEnd - 1;
    // Group by group, because reading beyond the end of a line would delay the line in a stream.
    if (window.endOfRun(charClass.digit, start, start + 4) !== start + 3) return undefined;
    if (!window.isOneOf(start + 3, "- ")) return undefined;
    if (window.endOfRun(charClass.digit, start + 4, start + 7) !== start + 6) return undefined;
    if (window.code(start + 6) !== window.code(start + 3)) return undefined;
    const { digits: all, sizes, end } = readGroups(window, start, "- ", 9);
    if (sizes.join() !== "3,2,4") return undefined;
    const isIssued = !/^(?:000|666|9)/.test(all) && all.slice(3, 5) !== "00" && all.slice(5) !== "0000";
    return isIssued && !goesOn(window, end) ? { start, end } : undefined;
  },
};
