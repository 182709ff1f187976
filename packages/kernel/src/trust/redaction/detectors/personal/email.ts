import { alphanumeric, charClass, domain } from "../../scan/char-class.ts";
import { type Detector, maxBefore } from "../../scan/detector.ts";
import type { Window } from "../../scan/window.ts";

const mailbox = domain | charClass.symbolOfMailbox;
const maxDomainLength = 255;

/** An email address. `name@1.2.3` is a package version, `git@host:path` a repository. */
export const detectEmail: Detector = {
  kind: "email",
  anchors: ["@"],
  minCut: 1,
  examine: (window, at, domainStart) => {
    if (!window.is(at - 1, mailbox) || !window.is(domainStart, alphanumeric)) return undefined;
    const end = endOfDomain(window, domainStart);
    if (end === undefined) return undefined;
    let start = window.startOfRun(mailbox, at, maxBefore);
    while (start < at && !window.is(start, alphanumeric | charClass.underscore)) start++;
    const isRepository = window.slice(start, at) === "git" && window.isOneOf(end, ":/");
    return start < at && !isRepository ? { start, end } : undefined;
  },
};

function endOfDomain(window: Window, start: number): number | undefined {
  let end = window.endOfRun(domain, start, start + maxDomainLength);
  while (!window.is(end - 1, alphanumeric)) end--;
  const labels = window.slice(start, end).split(".");
  const isVersion = /^\d+$/.test(labels[0] ?? "") && /^\d/.test(labels[1] ?? "");
  const isDomain =
    labels.length >= 2 && labels.every(Boolean) && /^[A-Za-z]{2,24}$/.test(labels.at(-1) ?? "");
  return isDomain && !isVersion ? end : undefined;
}
