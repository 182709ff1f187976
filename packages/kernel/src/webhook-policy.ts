/** Who is sent what about runs (SAP-08). Secrets are named here, never kept. */

/** Something that happened to a run and that others outside may want to know. */
export type RunEvent = (typeof runEvents)[number];

/** `running` also after a pause or an answer; `waiting` for a person. */
export const runEvents = ["running", "waiting", "completed", "failed", "aborted"] as const;

/** The events after which nothing follows, unless a person rewinds the run. */
export const endEvents: readonly RunEvent[] = ["completed", "failed", "aborted"];

/** Where a secret is, as an environment variable of the hub or a file. */
export type SecretSource = { readonly env: string } | { readonly file: string };

export interface WebhookPolicy {
  /** Hosts that may be called although they are not public, over http too, at any port. */
  readonly hosts: readonly string[];
  /** What signs the results that tasks ask for. Empty: tasks must not ask for any. */
  readonly signing: {
    /** For tenants without an entry of their own. */
    readonly others: readonly SecretSource[];
    readonly tenants: ReadonlyMap<string, readonly SecretSource[]>;
  };
  readonly notifications: readonly NotificationRule[];
}

/** Sends events of runs to one webhook. */
export interface NotificationRule {
  readonly name: string;
  /** Written down, or where it is: the address of a chat is a secret. */
  readonly address: string | SecretSource;
  readonly format: NotificationFormat;
  readonly events: readonly RunEvent[];
  /** Empty: of all tenants. */
  readonly tenants: readonly string[];
  /** Empty only for chats. */
  readonly secrets: readonly SecretSource[];
  /** More wait. */
  readonly perMinute: number;
}

/** `plain` is signed and is for programs, `slack` is a message that chats take. */
export type NotificationFormat = "plain" | "slack";

export const webhookLimits = {
  hosts: 1_000,
  notifications: 100,
  tenants: 1_000,
  /** Valid at the same time, so that one can replace the other. */
  secrets: 2,
  addressChars: 2_048,
  perMinute: 600,
  defaultPerMinute: 60,
  /** Of one task. */
  repliesOfTask: 4,
} as const;

export function signingSecrets(policy: WebhookPolicy | undefined, tenantId: string): readonly SecretSource[] {
  return policy?.signing.tenants.get(tenantId) ?? policy?.signing.others ?? [];
}

/** The rules for runs of a tenant. */
export function notificationsOf(
  policy: WebhookPolicy | undefined,
  tenantId: string,
): readonly NotificationRule[] {
  return (policy?.notifications ?? []).filter(
    ({ tenants }) => tenants.length === 0 || tenants.includes(tenantId),
  );
}
