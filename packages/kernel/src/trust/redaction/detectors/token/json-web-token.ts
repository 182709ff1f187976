import { base64Url, charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { restOfArmour, runOf } from "../../scan/tail.ts";
import { isAtWordStart } from "../word-start.ts";

const minPartLength = 8;

/**
 * Two parts of base64 with a dot between, the first of which is a JSON object. Without the dot it is ordinary data: a
 * source map, a cursor.
 */
export const detectJsonWebToken: Detector = {
  kind: "json-web-token",
  anchors: ["eyJ"],
  examine: (window, start, end) => {
    if (!window.holds("eyJ", start) || !isAtWordStart(window, start)) return undefined;
    const dot = window.endOfRun(base64Url, end);
    if (dot - start < minPartLength || window.code(dot) !== 0x2e) return undefined;
    const until = dot + 1 + minPartLength;
    if (window.endOfRun(base64Url, dot + 1, until) < until) return undefined;
    return { start, end: until, tail: restOfToken };
  },
};

const restOfToken = runOf(base64Url | charClass.dot);

const maxLabelLength = 64;

/** A private key in PEM, OpenSSH or PGP armour. Public keys and certificates are not secret. */
export const detectPrivateKey: Detector = {
  kind: "private-key",
  anchors: ["-----BEGIN "],
  examine: (window, start, end) => {
    const label = window.slice(end, end + maxLabelLength);
    const labelEnd = label.indexOf("-----");
    if (labelEnd < 0 || !label.slice(0, labelEnd).toUpperCase().includes("PRIVATE KEY")) return undefined;
    return { start, end: end + labelEnd + 5, tail: restOfArmour };
  },
};
