import { charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import type { Window } from "../../scan/window.ts";
import { isAtWordStart } from "../word-start.ts";
import { goesOn, minCutOfNumber } from "./number-groups.ts";

/** The length of account numbers by country (the registry of ISO 13616). */
const lengths: ReadonlyMap<string, number> = new Map(
  [
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18",
    "FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20",
    "LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24",
    "SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20",
  ]
    .join(" ")
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An international bank account number (IBAN), whole or in groups of four, with valid check digits. */
export const detectBankAccount: Detector = {
  kind: "iban",
  anchors: [...lengths.keys()].flatMap((country) =>
    Array.from({ length: 10 }, (_, digit) => `${country}${digit}`),
  ),
  minCut: minCutOfNumber,
  // The automaton ignores case, and a digest contains many such pairs.
  mayBegin: (text, start) => {
    const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)];
    return first <= 0x5a && second <= 0x5a;
  },
  examine: (window, start) => {
    if (!window.is(start, charClass.upper) || !isAtWordStart(window, start)) return undefined;
    const length = lengths.get(window.slice(start, start + 2));
    if (length === undefined) return undefined;
    const { account, end } = readAccount(window, start, length);
    const isAccount = account.length === length && remainder(account) === 1 && !goesOn(window, end);
    return isAccount ? { start, end } : undefined;
  },
};

function readAccount(window: Window, start: number, length: number): { account: string; end: number } {
  let [account, at] = ["", start];
  while (account.length < length) {
    const isGap = account.length % 4 === 0 && window.code(at) === 0x20;
    const position = isGap ? at + 1 : at;
    if (!window.is(position, charClass.upper | charClass.digit)) break;
    account += String.fromCharCode(window.code(position));
    at = position + 1;
  }
  return { account, end: at };
}

/** ISO/IEC 7064, MOD 97-10: letters count as 10 to 35, the first four characters come last. */
function remainder(account: string): number {
  let rest = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
