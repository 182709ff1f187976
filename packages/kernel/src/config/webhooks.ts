import type { Problem } from "../problem.ts";
import {
  type NotificationRule,
  runEvents,
  type SecretSource,
  type WebhookPolicy,
  webhookLimits,
} from "../webhook-policy.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { checkName, Reading } from "./reading.ts";
import { choice, text, whole } from "./shape.ts";

type WebhooksReading =
  | { readonly ok: true; readonly policy: WebhookPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const secretFields = {
  env: optional(
    text({
      most: 128,
      pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
      must: "be the name of an environment variable",
      fix: "write it such as WEBHOOK_SECRET; the secret itself does not belong in a file",
    }),
    "The environment variable of the hub that has it.",
  ),
  file: optional(
    text({ most: 4_096 }),
    "The file that has it; relative to the folder of this file. Read for each message, so that it can be replaced.",
  ),
};

const secretShape = fields(secretFields);

const secretsShape = list(secretShape, { most: webhookLimits.secrets });
const secretsDoc =
  "Each begins with whsec_ (HMAC) or whsk_ (Ed25519). A message is signed with all of them: with two, receivers can change from one to the other.";

const tenantId = text({ most: 256 });

const signingShape = fields({
  secrets: optional(secretsShape, `${secretsDoc} For tenants without an entry below.`, []),
  tenants: optional(
    list(
      fields({
        tenant_id: required(tenantId, "The tenant, as keys name it."),
        secrets: required(
          list(secretShape, { least: 1, most: webhookLimits.secrets, example: "- env: WEBHOOK_SECRET" }),
          secretsDoc,
        ),
      }),
      { most: webhookLimits.tenants },
    ),
    "Tenants with secrets of their own.",
    [],
  ),
});

const events = Object.fromEntries(runEvents.map((event) => [event, event]));

const notificationFields = {
  name: required(
    text({
      most: 64,
      pattern: /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/,
      must: "be a name of up to 64 of a-z, 0-9, - and _",
      fix: "write it such as team-chat",
    }),
    "Its name in the log.",
  ),
  url: optional(
    text({
      most: webhookLimits.addressChars,
      pattern: /^https?:\/\/[^\s]+$/,
      must: "be an address that begins with https:// or http://",
      fix: "write it such as https://example.com/hooks",
    }),
    "The address of the receiver. For an address that is a secret, use url_from.",
  ),
  url_from: optional(secretShape, "Where the address is."),
  format: optional(
    choice("a format", { plain: "plain", slack: "slack" } as const, "plain"),
    "plain is JSON with the run, signed; slack is a message that Slack and compatible chats display.",
    "plain",
  ),
  events: required(
    list(choice("an event of a run", events, "failed"), {
      ...{ least: 1, most: runEvents.length },
      example: "[waiting, failed]",
    }),
    "When to send: running, waiting (for a person), completed, failed, aborted.",
  ),
  tenants: optional(
    list(tenantId, { most: webhookLimits.tenants }),
    "Only runs of these tenants; all if left out.",
    [],
  ),
  secrets: optional(secretsShape, `${secretsDoc} The format plain needs one.`, []),
  per_minute: optional(
    whole(1, webhookLimits.perMinute),
    "Messages a minute; more wait.",
    webhookLimits.defaultPerMinute,
  ),
};

const webhooksFields = {
  hosts: optional(
    list(
      text({
        most: 256,
        pattern: /^[A-Za-z0-9:._-]+(?:\/\d{1,3})?$/,
        must: "be a name, an address or a network",
        fix: "write it such as hooks.internal or 10.1.0.0/16",
      }),
      { most: webhookLimits.hosts },
    ),
    "Hosts that may be called although they are not public: over http too, at any port.",
    [],
  ),
  signing: optional(signingShape, "What signs the results that tasks ask for.", {
    secrets: [],
    tenants: [],
  }),
  notifications: optional(
    list(fields(notificationFields), { most: webhookLimits.notifications }),
    "Who is sent a message when something happens to a run.",
    [],
  ),
};

/** `config/webhooks.yaml`. */
export const webhooksShape = fields(
  { webhooks: required(fields(webhooksFields), "Who is sent what about runs.") },
  "Webhooks",
);

/** Reads the content of the file (SAP-08). */
export function readWebhooks(content: unknown): WebhooksReading {
  const file = new Reading(content);
  const given = webhooksShape.read(file).webhooks;
  const root = file.at("webhooks");
  const signing = root.at("signing");
  const others = sourcesOf(given.signing.secrets, signing.at("secrets"));
  const tenants = new Map<string, readonly SecretSource[]>();
  for (const [index, at] of signing.at("tenants").items().entries()) {
    const entry = given.signing.tenants[index];
    if (!entry) continue;
    checkName(at.at("tenant_id"), entry.tenant_id);
    if (tenants.has(entry.tenant_id) && entry.tenant_id !== "")
      at.at("tenant_id").reportInconsistent("is there twice", "put its secrets into one entry");
    tenants.set(entry.tenant_id, sourcesOf(entry.secrets, at.at("secrets")));
  }
  const names = new Set<string>();
  const notifications: NotificationRule[] = [];
  for (const [index, at] of root.at("notifications").items().entries()) {
    const entry = given.notifications[index];
    if (!entry) continue;
    if (names.has(entry.name) && entry.name !== "")
      at.at("name").reportInconsistent("is there twice", "choose another name");
    names.add(entry.name);
    notifications.push(ruleOf(entry, at));
  }
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, policy: { hosts: given.hosts, signing: { others, tenants }, notifications } };
}

function ruleOf(given: ValuesOf<typeof notificationFields>, at: Reading): NotificationRule {
  const { name, url, url_from: from, format, events: when, per_minute: perMinute } = given;
  if ((url === undefined) === (from === undefined))
    at.reportInconsistent(
      "must have either url or url_from",
      "write the address as url, or where it is as url_from",
    );
  const secrets = sourcesOf(given.secrets, at.at("secrets"));
  if (format === "plain" && given.secrets.length === 0)
    at.reportInconsistent(
      "has no secret to sign with",
      "add secrets: [{ env: NAME }], or write format: slack for a chat",
    );
  const address = from ? (sourceOf(from, at.at("url_from")) ?? "") : (url ?? "");
  for (const [index, tenant] of at.at("tenants").items().entries()) checkName(tenant, given.tenants[index]);
  return { name, address, format, events: [...new Set(when)], tenants: given.tenants, secrets, perMinute };
}

type SecretFields = ValuesOf<typeof secretFields>;

function sourcesOf(given: readonly SecretFields[], at: Reading): readonly SecretSource[] {
  return at.items().flatMap((item, index) => {
    const secret = given[index];
    return (secret && sourceOf(secret, item)) ?? [];
  });
}

function sourceOf({ env, file }: SecretFields, at: Reading): SecretSource | undefined {
  if (env !== undefined && file === undefined) return { env };
  if (file !== undefined && env === undefined) return { file };
  if (at.members())
    at.reportInconsistent("must have either env or file", "write { env: NAME } or { file: PATH }");
  return undefined;
}
