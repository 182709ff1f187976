/** Sends messages to webhooks: results of tasks, and notifications. */
export interface HookSender {
  /** One request at most; never throws. What is sent twice has the same id. */
  send(message: HookMessage, signal: AbortSignal): Promise<SendOutcome>;
}

export interface HookMessage {
  readonly id: string;
  readonly address: string;
  /** JSON in UTF-8. */
  readonly body: Uint8Array;
  /** Secrets as Standard Webhooks writes them, all of which sign the message; empty for chats. */
  readonly secrets: readonly string[];
}

export type SendOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** Without the address, which may contain secrets. */
      readonly reason: string;
      /** The receiver asks to wait so long. */
      readonly retryAfterMs?: number;
      /** The receiver is gone for good. */
      readonly gone?: true;
    };
