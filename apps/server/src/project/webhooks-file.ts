import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type NotificationRule, readWebhooks, type SecretSource, type WebhookPolicy } from "@baton/kernel";
import { isHostEntry } from "@baton/runtime";
import type { ConfigProblem } from "../files/problem.ts";

type WebhooksReading =
  | { readonly ok: true; readonly policy: WebhookPolicy }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads `config/webhooks.yaml`; files with secrets are relative to its folder. */
export function readWebhooksFile(content: unknown, path: string): WebhooksReading {
  const reading = readWebhooks(content);
  if (!reading.ok) return reading;
  const { policy } = reading;
  const problems = policy.hosts.flatMap((host, index): readonly ConfigProblem[] => {
    if (isHostEntry(host)) return [];
    const fix = "write a name, an address, or a network such as 10.1.0.0/16";
    return [{ code: "BATON-CONFIG-002", at: `webhooks.hosts[${index}]`, message: "is not a host", fix }];
  });
  if (problems.length > 0) return { ok: false, problems };
  const at = (source: SecretSource): SecretSource =>
    "file" in source ? { file: resolve(dirname(path), source.file) } : source;
  const all = (sources: readonly SecretSource[]) => sources.map(at);
  return {
    ok: true,
    policy: {
      hosts: policy.hosts,
      signing: {
        others: all(policy.signing.others),
        tenants: new Map([...policy.signing.tenants].map(([name, sources]) => [name, all(sources)])),
      },
      notifications: policy.notifications.map(
        (rule): NotificationRule => ({
          ...rule,
          address: typeof rule.address === "string" ? rule.address : at(rule.address),
          secrets: all(rule.secrets),
        }),
      ),
    },
  };
}

interface Missing {
  /** In the file, as the kernel names places. */
  readonly at: string;
  readonly what: string;
}

/** Secrets that are not where the file says. */
export function missingSecrets(
  { signing, notifications }: WebhookPolicy,
  hasVariable: (name: string) => boolean,
): readonly Missing[] {
  const isThere = (source: SecretSource) =>
    "env" in source ? hasVariable(source.env) : existsSync(source.file);
  const ofList = (sources: readonly SecretSource[], at: string) =>
    sources.flatMap((source, index) => (isThere(source) ? [] : [missing(source, `${at}[${index}]`)]));
  return [
    ...ofList(signing.others, "webhooks.signing.secrets"),
    ...[...signing.tenants.values()].flatMap((sources, index) =>
      ofList(sources, `webhooks.signing.tenants[${index}].secrets`),
    ),
    ...notifications.flatMap(({ address, secrets }, index) => {
      const at = `webhooks.notifications[${index}]`;
      const isKnown = typeof address === "string" || isThere(address);
      return [...(isKnown ? [] : [missing(address, `${at}.url_from`)]), ...ofList(secrets, `${at}.secrets`)];
    }),
  ];
}

function missing(source: SecretSource, at: string): Missing {
  return "env" in source
    ? { at: `${at}.env`, what: `the variable ${source.env}, which is not set here` }
    : { at: `${at}.file`, what: `the file ${source.file}, which is not there` };
}

/** Environment variables with secrets of webhooks, whose values no log and no answer may contain. */
export function webhookVariables(policy: WebhookPolicy | undefined): readonly string[] {
  if (!policy) return [];
  const { signing, notifications } = policy;
  const sources = [
    ...signing.others,
    ...[...signing.tenants.values()].flat(),
    ...notifications.flatMap(({ address, secrets }) =>
      typeof address === "string" ? secrets : [address, ...secrets],
    ),
  ];
  return sources.flatMap((source) => ("env" in source ? [source.env] : []));
}
