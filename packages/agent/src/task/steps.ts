import { hash } from "node:crypto";
import { canonicalJson, type Step, StepSchema, StepState, type TaskEnvelope } from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { AgentError, StepOutcomeUnknown } from "../agent-error.ts";
import type { StepOptions } from "../api/step.ts";
import { limits } from "../limits.ts";
import type { Halt } from "./halt.ts";
import type { Safety } from "./safety.ts";
import { usageOf } from "./usage-meter.ts";

/** Where the steps of an attempt are stored. */
export interface StepStore {
  /** Resolves when the step is durable. Rejects with `AgentError` when it is refused. */
  report(step: Step): Promise<void>;
  /** The steps of earlier attempts after the first ones. */
  list(after: number): Promise<readonly Step[]>;
}

export interface StepParts {
  readonly envelope: TaskEnvelope;
  readonly store: StepStore;
  readonly halt: Halt;
  readonly safety: Pick<Safety, "spend">;
}

interface Use {
  readonly name: string;
  readonly argumentsDigest: string;
  readonly occurrence: number;
}

type Run<Value> = (signal: AbortSignal) => Value | Promise<Value>;

/**
 * The durable steps of one attempt.
 *
 * I1. A value is returned only when the hub has stored it.
 * I2. Unless it is idempotent, a step is on record before it runs.
 * I3. Uses of the same name and arguments are numbered; a use that failed gives its number back.
 */
export class Steps {
  readonly #parts: StepParts;
  /** Steps of earlier attempts, by key. */
  readonly #known = new Map<string, Step>();
  /** Occurrences in use, by name and arguments. */
  readonly #used = new Map<string, Set<number>>();

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /** Reads the steps that the envelope does not carry. Called before the attempt runs. */
  async load(): Promise<void> {
    const { count = 0, steps: first = [] } = this.#parts.envelope.steps ?? {};
    const steps = [...first];
    while (steps.length < count) {
      const page = await this.#untilOver(this.#parts.store.list(steps.length));
      if (page.length === 0) break;
      steps.push(...page);
    }
    for (const step of steps) this.#known.set(keyOf(step), step);
  }

  async once<Value>(
    name: string,
    args: unknown,
    run: Run<Value>,
    options: StepOptions<Value> = {},
  ): Promise<Value> {
    this.#parts.halt.throwIfOver();
    const use = this.#take(name, digestOf(name, args));
    const known = this.#known.get(keyOf(use));
    if (known?.state === StepState.COMPLETED) return JSON.parse(known.valueJson) as Value;
    if (known?.state !== StepState.STARTED || options.idempotent) return this.#run(use, run, options);
    throw new StepOutcomeUnknown({
      stepName: name,
      critical: options.critical ?? false,
      ...this.#asked(use, args),
      runAgain: () => this.#run(use, run, options),
      settle: (value) => this.#complete(use, value as Value, options),
    });
  }

  async #run<Value>(use: Use, run: Run<Value>, options: StepOptions<Value>): Promise<Value> {
    const { halt } = this.#parts;
    const isOnRecord = !options.idempotent;
    if (isOnRecord) await this.#report(use, { state: StepState.STARTED }, options);
    let value: Value;
    try {
      value = await run(halt.signal);
    } catch (error) {
      const isUnknown = error instanceof StepOutcomeUnknown || halt.isOver;
      if (isOnRecord && !isUnknown)
        await this.#report(use, { state: StepState.FAILED, error: reasonOf(error) }, options);
      if (!isUnknown) this.#used.get(baseOf(use))?.delete(use.occurrence);
      throw error;
    }
    return this.#complete(use, value, options);
  }

  async #complete<Value>(use: Use, value: Value, options: StepOptions<Value>): Promise<Value> {
    const valueJson = jsonOf(use, value);
    const spent = typeof options.usage === "function" ? options.usage(value) : options.usage;
    const usage = spent && usageOf(spent);
    await this.#report(use, { state: StepState.COMPLETED, valueJson, ...(usage && { usage }) }, options);
    // The value is stored even if it exceeds the budget.
    if (spent) this.#parts.safety.spend(spent);
    return JSON.parse(valueJson) as Value;
  }

  #report(
    use: Use,
    how: Extract<MessageInitShape<typeof StepSchema>, { readonly $typeName?: never }>,
    { idempotent = false, critical = false }: StepOptions<never>,
  ): Promise<void> {
    this.#parts.halt.throwIfOver();
    const step = create(StepSchema, { ...use, idempotent, critical, ...how });
    return this.#untilOver(this.#parts.store.report(step));
  }

  /** The lowest number that is free. */
  #take(name: string, argumentsDigest: string): Use {
    const base = baseOf({ name, argumentsDigest });
    const used = this.#used.get(base) ?? new Set<number>();
    this.#used.set(base, used);
    let occurrence = 1;
    while (used.has(occurrence)) occurrence++;
    used.add(occurrence);
    return { name, argumentsDigest, occurrence };
  }

  /** The question about a step, and its answer. Its mark finds the answer, whatever the hub has shortened or masked. */
  #asked(use: Use, args: unknown): { readonly question: string; readonly answer: string | undefined } {
    const mark = `[${hash("sha256", keyOf(use)).slice(0, 12)}]`;
    const question = `Did the step "${use.name}" ${mark} take effect? It began, and it is unknown whether it ended. Arguments: ${canonicalJson(args)}`;
    const answered = this.#parts.envelope.clarifications.findLast((one) => one.question.includes(mark));
    return {
      question: question.slice(0, limits.stepQuestionLength).toWellFormed(),
      answer: answered?.answer,
    };
  }

  /** Rejects when the attempt is over: what comes of the call later is of no use. */
  async #untilOver<Value>(call: Promise<Value>): Promise<Value> {
    const { halt } = this.#parts;
    halt.throwIfOver();
    const over = Promise.withResolvers<never>();
    const stop = () => over.reject(halt.signal.reason);
    halt.signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([call, over.promise]);
    } finally {
      halt.signal.removeEventListener("abort", stop);
    }
  }
}

/** Whether a question was asked by `askAbout`. */
export function isAboutStep(question: string): boolean {
  return /^Did the step ".*" \[[0-9a-f]{12}\] take effect\?/s.test(question);
}

function keyOf({ name, argumentsDigest, occurrence }: Use): string {
  return `${argumentsDigest}/${occurrence}/${name}`;
}

function baseOf({ name, argumentsDigest }: Pick<Use, "name" | "argumentsDigest">): string {
  return `${argumentsDigest}/${name}`;
}

function digestOf(name: string, args: unknown): string {
  try {
    return `sha256:${hash("sha256", canonicalJson(args))}`;
  } catch (cause) {
    throw invalidStep(name, "its arguments are no JSON", cause);
  }
}

function jsonOf({ name }: Use, value: unknown): string {
  const json = toJson(name, value);
  const bytes = Buffer.byteLength(json);
  if (bytes <= limits.stepValueBytes) return json;
  throw new AgentError("BATON-SDK-019", `the value of the step "${name}" has ${bytes} bytes of JSON`, {
    at: `step ${name}`,
    fix: `keep it below ${limits.stepValueBytes} bytes: put large content into a file and return its path and digest`,
  });
}

/** No value is null. */
function toJson(name: string, value: unknown): string {
  try {
    const json: string | undefined = JSON.stringify(value ?? null);
    if (json !== undefined) return json;
  } catch (cause) {
    throw invalidStep(name, "its value is no JSON", cause);
  }
  throw invalidStep(name, "its value is no JSON", undefined);
}

function invalidStep(name: string, why: string, cause: unknown): AgentError {
  return new AgentError("BATON-SDK-004", `the step "${name}" cannot be stored: ${why}`, {
    at: `step ${name}`,
    fix: "give and return plain objects, lists, texts, finite numbers, booleans and null",
    cause,
  });
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.slice(0, limits.reasonLength).toWellFormed();
}
