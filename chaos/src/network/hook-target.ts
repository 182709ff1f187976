import { setTimeout as pause } from "node:timers/promises";
import { HookReceiver, isSignedBy, type ReceivedHook } from "@baton/runtime/testing";
import type { Figures } from "../figures.ts";
import { limits } from "../limits.ts";
import type { Ledger } from "../load/ledger.ts";
import type { Violations } from "../violations.ts";

/** Signs what the hub under test sends. */
export const hookSecret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

/** Of so many messages one is refused, and of so many the answer is lost. */
const refusedOf = 5;
const lostOf = 7;

/** A receiver of the ends of all runs. It refuses some messages, and loses the answers to others. */
export class HookTarget {
  readonly #receiver: HookReceiver;
  /** Messages whose last answer was no success: they come again. */
  readonly #refused = new Set<string>();

  private constructor(receiver: HookReceiver, figures: Figures) {
    this.#receiver = receiver;
    receiver.answer = (request, response) => {
      const count = receiver.received.length;
      const id = String(request.headers["webhook-id"]);
      this.#refused.add(id);
      if (count % refusedOf === 0) {
        figures.fault("a webhook refused");
        response.writeHead(503).end();
      } else if (count % lostOf === 0) {
        figures.fault("the answer to a webhook lost");
        request.socket.destroy();
      } else {
        this.#refused.delete(id);
        response.writeHead(204).end();
      }
    };
  }

  static async open(figures: Figures): Promise<HookTarget> {
    return new HookTarget(await HookReceiver.open(), figures);
  }

  get url(): string {
    return this.#receiver.url;
  }

  /** Waits for the end of every acknowledged run. Nothing is lost or unsigned, and what comes twice is the same. */
  async check(ledger: Ledger, figures: Figures, violations: Violations): Promise<void> {
    const deadline = performance.now() + limits.endMs;
    const missing = () => {
      const reported = new Set(this.#receiver.received.map(({ body }) => runOf(body)));
      return ledger.all.filter(({ pipelineId }) => !reported.has(pipelineId));
    };
    while (missing().length + this.#refused.size > 0 && performance.now() < deadline)
      await pause(limits.pollMs);
    for (const { pipelineId } of missing()) violations.add("no webhook is lost", pipelineId);
    for (const id of this.#refused) violations.add("a refused webhook comes again", id);
    // The hub has its answers by then.
    await pause(limits.pollMs * 4);
    const texts = new Map<string, string>();
    for (const message of this.#receiver.received) {
      const { id, text } = message;
      violations.check(isSignedBy(hookSecret, message), "every webhook is signed", () => id);
      violations.check((texts.get(id) ?? text) === text, "a repeated webhook is the same", () => id);
      texts.set(id, text);
    }
    figures.webhooks += texts.size;
    figures.webhookRepeats += this.#receiver.received.length - texts.size;
  }

  close(): void {
    this.#receiver.close();
  }
}

function runOf({ data }: ReceivedHook["body"]): string {
  const { run } = (data ?? {}) as { readonly run?: { readonly pipelineId?: string } };
  return run?.pipelineId ?? "";
}
