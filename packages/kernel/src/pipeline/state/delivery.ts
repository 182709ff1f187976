import type { RunEvent } from "../../webhook-policy.ts";

/** A message about a run to a receiver outside, delivered at least once (SAP-08). */
export interface Delivery {
  /** Receivers recognise a repetition by it. */
  readonly deliveryId: string;
  readonly receiver: Receiver;
  readonly event: RunEvent;
  /** The version of the run that the message describes: a repetition has the same content. */
  readonly version: number;
  /** The questions that the event is about. */
  readonly questions: readonly string[];
  /** The hub tries for a day from here on. */
  readonly sinceMs: number;
}

/** An address that the task names, or a rule of the configuration, which may change meanwhile. */
export type Receiver =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "notification"; readonly name: string };
