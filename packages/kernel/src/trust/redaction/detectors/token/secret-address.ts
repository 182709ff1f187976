import { base64Url, charClass } from "../../scan/char-class.ts";
import type { Detector } from "../../scan/detector.ts";
import { runOf } from "../../scan/tail.ts";

const path = base64Url | charClass.symbolOfBase64;
const restOfPath = runOf(path);
const minPathLength = 24;

/** URLs that are credentials: anyone who knows one can post to it. */
function detectWebhook(kind: string, anchors: readonly string[]): Detector {
  return {
    kind,
    anchors,
    examine: (window, _, end) => {
      const until = end + minPathLength;
      if (window.endOfRun(path, end, until) < until) return undefined;
      return { start: end, end: until, tail: restOfPath };
    },
  };
}

const minSignatureLength = 20;
const signature = path | charClass.symbolOfMailbox;
const restOfSignature = runOf(signature);

/** The signature of a shared or presigned address: `…&sig=`, `…&X-Amz-Signature=`. */
const detectUrlSignature: Detector = {
  kind: "url-signature",
  anchors: ["?sig=", "&sig=", ";sig=", "\nsig=", "-signature="],
  examine: (window, _, end) => {
    const until = end + minSignatureLength;
    if (window.endOfRun(signature, end, until) < until) return undefined;
    return { start: end, end: until, tail: restOfSignature };
  },
};

export const detectSecretAddresses: readonly Detector[] = [
  detectWebhook("slack-webhook", ["hooks.slack.com/services/", "hooks.slack.com/workflows/"]),
  detectWebhook("discord-webhook", ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"]),
  detectUrlSignature,
];
