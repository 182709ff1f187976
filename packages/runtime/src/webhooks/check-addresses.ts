import { isIP } from "node:net";
import type { SubmitTaskRequest } from "@baton/contract";
import { replyAddresses, signingSecrets, type WebhookPolicy, webhookLimits } from "@baton/kernel";
import { isHostEntry } from "../lib/host-list.ts";
import { HubError } from "../ports/hub-error.ts";
import { Unreadable } from "../references/unreadable.ts";
import { webhookGuard } from "./http-sender.ts";

/** A public one, instead of a name: whether names are public is decided when a message is sent. */
const somePublicAddress = "1.1.1.1";

/** Refuses addresses that no message could be sent to, so that the submitter learns it at once (SAP-08). */
export async function checkReplyAddresses(
  task: SubmitTaskRequest,
  tenantId: string,
  policy: WebhookPolicy | undefined,
): Promise<void> {
  const addresses = replyAddresses({ task });
  if (addresses.length === 0) return;
  if (addresses.length > webhookLimits.repliesOfTask)
    throw refused(
      "reply_to",
      `has ${addresses.length} addresses`,
      `name at most ${webhookLimits.repliesOfTask}`,
    );
  if (signingSecrets(policy, tenantId).length === 0)
    throw refused(
      "reply_to",
      "cannot be used: this hub has no secret to sign results with",
      "add webhooks.signing to config/webhooks.yaml of the hub, or poll for the result",
    );
  for (const [index, address] of addresses.entries()) {
    const field = `reply_to[${index}]`;
    if (address.length > webhookLimits.addressChars)
      throw refused(field, `has ${address.length} characters`, `use at most ${webhookLimits.addressChars}`);
    try {
      await webhookGuard(hostsFor(address, policy?.hosts ?? []), async () => [somePublicAddress]).target(
        address,
      );
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const fix = "name a public https address, or ask the operator to add its host to webhooks.hosts";
      throw refused(field, `is refused: ${error.message}`, fix);
    }
  }
}

/** A name may belong to a listed network. */
function hostsFor(address: string, hosts: readonly string[]): readonly string[] {
  const name = URL.parse(address)?.hostname ?? "";
  const hasNetworks = hosts.some((host) => isIP(host.replace(/\/.*$/, "")) !== 0);
  return hasNetworks && isIP(name) === 0 && isHostEntry(name) ? [...hosts, name] : hosts;
}

function refused(field: string, message: string, fix: string): HubError {
  const text = `${field} ${message}`;
  return new HubError("invalid", "BATON-SUBMIT-005", text, {
    fix,
    violations: [{ field, rule: "BATON-SUBMIT-005", message: text }],
  });
}
