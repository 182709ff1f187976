import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { canonicalJson } from "@baton/contract";
import { readTaskText, type Task } from "@baton/protocols/sap";

export type Fault =
  | "loses-correlation"
  | "gives-no-evidence"
  | "writes-fractions"
  | "crosses-tenants"
  | "needs-no-context"
  | "computes-for-only"
  | "fails-without-a-message"
  | "takes-other-content"
  | "emits-no-metrics"
  | "takes-any-id";

type Json = Record<string, unknown>;

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** The smallest endpoint that passes the suite, in memory, with faults on request. It does every task at once. */
export async function plainEndpoint(...faults: readonly Fault[]) {
  const endpoint = new PlainEndpoint(new Set(faults));
  const server = createServer((request, response) => void endpoint.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

class PlainEndpoint {
  readonly #faults: ReadonlySet<Fault>;
  /** By tenant and taskId. */
  readonly #tasks = new Map<string, { readonly task: Task; readonly result: Json }>();
  readonly #cache = new Map<string, { readonly output: unknown; readonly storedMs: number }>();

  constructor(faults: ReadonlySet<Fault>) {
    this.#faults = faults;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tenant = request.headers.authorization ?? "";
    const [, id = "", rest = ""] = /^\/sap\/v2\/tasks\/([^/]+)(\/events)?$/.exec(request.url ?? "") ?? [];
    const { status, body } =
      request.method === "POST"
        ? this.#submit(await bodyOf(request), tenant, request)
        : this.#read(id, tenant);
    if (typeof body.correlationId === "string") response.setHeader("x-correlation-id", body.correlationId);
    if (rest === "/events" && status === 200) {
      response.setHeader("content-type", "text/event-stream");
      response.end(`id: 1\nevent: result\ndata: ${JSON.stringify(body)}\n\n`);
    } else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  #submit(body: string, tenant: string, request: IncomingMessage): Answer {
    const read = readTaskText(body, Date.now());
    if (!read.ok && !this.#forgives(read.violations.map(({ path }) => path)))
      return refuse(400, "INVALID_TASK", { violations: read.violations });
    const task = read.ok ? read.task : (JSON.parse(body) as Task);
    const { taskId, correlationId } = task;
    const stated = request.headers["x-correlation-id"];
    if (stated !== undefined && stated !== correlationId) return refuse(400, "INVALID_TASK", {});
    if (task.target.capability !== "consult.align") return refuse(404, "NOT_FOUND", {});
    const known = this.#tasks.get(`${tenant} ${taskId}`);
    const isSame = known && canonicalJson(known.task) === canonicalJson(task);
    if (known && !isSame && !this.#faults.has("takes-other-content")) return refuse(409, "INVALID_TASK", {});
    if (!known) this.#tasks.set(`${tenant} ${taskId}`, { task, result: this.#run(task, tenant) });
    return { status: 202, body: { protocolVersion: "2.0", kind: "ack", taskId, correlationId } };
  }

  #forgives(paths: readonly string[]): boolean {
    return (
      (this.#faults.has("needs-no-context") &&
        paths.every((path) => path.startsWith("constitutionalContext"))) ||
      (this.#faults.has("takes-any-id") && paths.every((path) => path === "taskId"))
    );
  }

  #read(taskId: string, tenant: string): Answer {
    const found = this.#tasks.get(`${tenant} ${taskId}`);
    return found ? { status: 200, body: found.result } : refuse(404, "NOT_FOUND", {});
  }

  #run(task: Task, tenant: string): Json {
    const { mode = "prefer", maxAgeSec } = task.constitutionalContext?.cachePolicy ?? {};
    const cacheKey = canonicalJson([this.#faults.has("crosses-tenants") ? "" : tenant, task.payload]);
    const stored = mode === "bypass" ? undefined : this.#cache.get(cacheKey);
    const ageSec = stored ? Math.floor((Date.now() - stored.storedMs) / 1_000) : 0;
    const hit = stored !== undefined && (maxAgeSec === undefined || ageSec < maxAgeSec);
    if (mode === "only" && !hit && !this.#faults.has("computes-for-only")) {
      const message = this.#faults.has("fails-without-a-message") ? {} : { message: "nothing is stored" };
      return this.#result(task, "FAILED", { error: { code: "CACHE_MISS", ...message } }, { hit: false });
    }
    const output = hit ? stored.output : { made: Math.random() };
    if (!hit && mode === "prefer") this.#cache.set(cacheKey, { output, storedMs: Date.now() });
    return this.#result(task, "SUCCEEDED", { output }, hit ? { hit, cacheKey, ageSec } : { hit });
  }

  #result(
    { taskId, correlationId, constitutionalContext }: Task,
    status: string,
    more: Json,
    cache: Json,
  ): Json {
    const now = new Date().toISOString();
    const evidence = {
      alignment: "VALID",
      pressureReadings: constitutionalContext?.pressure ?? {},
      ...{ policyChecks: [], cache },
    };
    return {
      protocolVersion: "2.0",
      taskId,
      correlationId: this.#faults.has("loses-correlation") ? taskId : correlationId,
      reportedAt: this.#faults.has("writes-fractions") ? now : now.replace(/\.\d+Z$/, "Z"),
      producer: { agentId: "plain", agentKind: "system" },
      status,
      ...more,
      ...(!this.#faults.has("emits-no-metrics") && { metrics: { latencyMs: 0 } }),
      ...(!this.#faults.has("gives-no-evidence") && { constitutionalEvidence: evidence }),
    };
  }
}

function refuse(status: number, code: string, details: Json): Answer {
  return {
    status,
    body: { protocolVersion: "2.0", kind: "nack", error: { code, message: "refused", details } },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
