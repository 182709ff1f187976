/** Limits of delivering messages to webhooks. */
export interface WebhookLimits {
  /** Of one request, from the name to the answer. */
  readonly timeoutMs: number;
  /** Addresses tried for one name, and the timeout of each connection including TLS. */
  readonly addresses: number;
  readonly connectMs: number;
  /** Of a message; a larger one is sent without results of stages. */
  readonly bodyBytes: number;
  /** Of the answer, which is not read otherwise. */
  readonly headerBytes: number;
  /** Requests under way at once: to one receiver, and together. */
  readonly ofReceiver: number;
  readonly together: number;
  /** Between two attempts: half of the time tried so far, but at least and at most so much. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Until a person is asked. */
  readonly giveUpMs: number;
}

export const defaultWebhookLimits: WebhookLimits = {
  timeoutMs: 15_000,
  addresses: 4,
  connectMs: 5_000,
  bodyBytes: 1_048_576,
  headerBytes: 16_384,
  ofReceiver: 4,
  together: 32,
  firstRetryMs: 1_000,
  longestRetryMs: 10_800_000,
  giveUpMs: 86_400_000,
};
