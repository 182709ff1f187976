import type { Detector } from "../../scan/detector.ts";
import { restOfArmour } from "../../scan/tail.ts";

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
