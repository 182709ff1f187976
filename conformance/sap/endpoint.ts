import { randomUUID } from "node:crypto";
import type { EndpointOptions } from "./usage.ts";

/** What an endpoint answered. */
export interface Seen {
  readonly status: number;
  readonly correlation: string | null;
  /** Undefined for what is no JSON. */
  readonly body: Json | undefined;
}

export type Json = { readonly [name: string]: unknown };

/** The HTTP client of the suite: plain requests, so that nothing of an implementation is trusted. */
export class Endpoint {
  readonly options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.options = options;
  }

  /** A Task with ids of its own. */
  task(changes: Json = {}): Json {
    return {
      protocolVersion: "2.0",
      taskId: randomUUID(),
      correlationId: randomUUID(),
      issuedAt: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
      issuer: { agentId: "conformance-suite", agentKind: "system" },
      target: { capability: this.options.capability },
      constitutionalContext: { pressureLevel: "instant", cachePolicy: { mode: "bypass" } },
      payload: { topic: "conformance", nonce: randomUUID() },
      ...changes,
    };
  }

  submit(task: unknown, headers: Record<string, string> = {}, key = this.options.key): Promise<Seen> {
    const body = typeof task === "string" ? task : JSON.stringify(task);
    return this.#ask("POST", "/sap/v2/tasks", { "content-type": "application/json", ...headers }, key, body);
  }

  result(taskId: unknown, key = this.options.key): Promise<Seen> {
    return this.#ask("GET", `/sap/v2/tasks/${taskId}`, {}, key);
  }

  /** Submits a task and waits for its outcome, or until a person would have to act. */
  async outcome(
    task: Json,
    key = this.options.key,
  ): Promise<{ readonly ack: Seen; readonly results: Json[] }> {
    const ack = await this.submit(task, {}, key);
    if (ack.status !== 202) return { ack, results: [] };
    const untilMs = performance.now() + this.options.patienceMs;
    const results: Json[] = [];
    for (;;) {
      const { status, body } = await this.result(task.taskId, key);
      if (status !== 200 || body === undefined) return { ack, results };
      if (body.status !== results.at(-1)?.status) results.push(body);
      if (settled.has(String(body.status)) || performance.now() > untilMs) return { ack, results };
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** The Results that the stream of events reports, until it ends. */
  async events(taskId: unknown): Promise<Json[]> {
    const answer = await fetch(`${this.options.address}/sap/v2/tasks/${taskId}/events`, {
      headers: this.#headers({}, this.options.key),
      signal: AbortSignal.timeout(this.options.patienceMs),
    });
    const blocks = (await answer.text()).split("\n\n");
    return blocks.flatMap((block) => {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return /^event: result$/m.test(block) && data !== undefined ? [asObject(data) ?? {}] : [];
    });
  }

  async #ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    key: string | undefined,
    body?: string,
  ): Promise<Seen> {
    const answer = await fetch(`${this.options.address}${path}`, {
      ...{ method, headers: this.#headers(headers, key) },
      signal: AbortSignal.timeout(this.options.patienceMs),
      ...(body !== undefined && { body }),
    });
    return {
      status: answer.status,
      correlation: answer.headers.get("x-correlation-id"),
      body: asObject(await answer.text()),
    };
  }

  #headers(headers: Record<string, string>, key: string | undefined): Record<string, string> {
    return { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  }
}

const pauseMs = 50;
const settled = new Set(["SUCCEEDED", "FAILED", "CANCELLED", "ESCALATED", "PARTIAL"]);

function asObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
