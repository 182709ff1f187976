/** The seven items of U §12, and the error model of U §8. */
import { randomUUID } from "node:crypto";
import type { Endpoint, Json, Seen } from "./endpoint.ts";
import { at, type Notes, type Row, Skipped } from "./row.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const alignments = ["VALID", "NON_CONSTITUTIONAL", "ESCALATE"];
const codes = [
  ...["INVALID_TASK", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "UNPROCESSABLE", "TIMEOUT"],
  ...["RATE_LIMIT", "INTERNAL", "CACHE_MISS", "NON_CONSTITUTIONAL"],
];

export const rows: readonly Row[] = [
  { id: "ids-and-times", title: "Valid ids and timestamps", check: idsAndTimes },
  { id: "required-fields", title: "Required fields present", check: requiredFields },
  { id: "context", title: "Constitutional context provided", check: context },
  { id: "evidence", title: "Result includes constitutional evidence", check: evidence },
  { id: "cache-policy", title: "Cache policy honored", check: cachePolicy },
  { id: "learning", title: "Learning signals emitted", check: learning },
  { id: "correlation", title: "Transport preserves correlation", check: correlation },
  { id: "errors", title: "Error model", check: errors },
];

async function idsAndTimes(endpoint: Endpoint, notes: Notes): Promise<void> {
  const result = await done(endpoint, notes, endpoint.task());
  const { reportedAt, taskId, correlationId } = result;
  notes.expect("a Task", "reportedAt as YYYY-MM-DDTHH:MM:SSZ", isInstant(reportedAt), reportedAt);
  notes.expect("a Task", "UUIDs in the Result", isUuid(taskId) && isUuid(correlationId), {
    taskId,
    correlationId,
  });
  for (const [what, change] of [
    ["a taskId of the wrong variant", { taskId: "7fbb32b6-0d2c-4c1a-cb75-2a4b3b0b6c0a" }],
    ["a correlationId that is no UUID", { correlationId: "mine" }],
    ["issuedAt with a fraction", { issuedAt: "2025-09-28T10:15:23.5Z" }],
    ["a date that does not exist", { issuedAt: "2025-02-30T10:15:23Z" }],
  ] as const)
    expectNack(notes, what, await endpoint.submit(endpoint.task(change)), ["INVALID_TASK"]);
}

const must = [
  ...["protocolVersion", "taskId", "correlationId", "issuedAt", "issuer", "issuer.agentId"],
  ...["issuer.agentKind", "target", "target.capability", "constitutionalContext", "payload"],
];
const mustOfResult = [
  ...["protocolVersion", "taskId", "correlationId", "reportedAt", "producer.agentId"],
  ...["producer.agentKind", "status", "constitutionalEvidence"],
];

async function requiredFields(endpoint: Endpoint, notes: Notes): Promise<void> {
  for (const path of must) {
    const seen = await endpoint.submit(without(endpoint.task(), path));
    expectNack(notes, `a Task without ${path}`, seen, ["INVALID_TASK"]);
    const names = JSON.stringify(seen.body).includes(path.split(".").at(-1) ?? "");
    notes.expect(`a Task without ${path}`, "a Nack that names it", names, seen.body);
  }
  const result = await done(endpoint, notes, endpoint.task());
  const missing = mustOfResult.filter((path) => at(result, path) === undefined);
  notes.expect("a Task", "a Result with every MUST", missing.length === 0, `without ${missing.join(", ")}`);
}

async function context(endpoint: Endpoint, notes: Notes): Promise<void> {
  const task = endpoint.task({ constitutionalContext: { principles: ["honesty"] } });
  const seen = await endpoint.submit(task);
  expectNack(notes, "a Task without pressureLevel", seen, ["INVALID_TASK"]);
  const names = JSON.stringify(seen.body).includes("pressureLevel");
  notes.expect("a Task without pressureLevel", "a Nack that names it", names, seen.body);
  const range = { pressureLevel: "instant", pressure: { honesty: 101 } };
  expectNack(
    notes,
    "a pressure of 101",
    await endpoint.submit(endpoint.task({ constitutionalContext: range })),
    ["INVALID_TASK"],
  );
}

async function evidence(endpoint: Endpoint, notes: Notes): Promise<void> {
  const pressure = { honesty: 52 };
  const task = endpoint.task({
    constitutionalContext: { pressureLevel: "instant", principles: ["honesty"], pressure },
  });
  const { results } = await endpoint.outcome(task);
  const events = await endpoint.events(task.taskId);
  notes.expect("a Task", "at least one Result", results.length > 0 && events.length > 0, { results, events });
  for (const result of [...results, ...events]) {
    const alignment = at(result, "constitutionalEvidence.alignment");
    notes.expect("a Task", "alignment in every Result", alignments.includes(String(alignment)), result);
  }
  const reading = at(results.at(-1), "constitutionalEvidence.pressureReadings.honesty");
  notes.expect("a pressure of 52", "a pressure reading", typeof reading === "number", results.at(-1));
}

async function cachePolicy(endpoint: Endpoint, notes: Notes): Promise<void> {
  const payload = { topic: "conformance of caches", nonce: randomUUID() };
  const withMode = (mode: string, more: Json = {}) =>
    endpoint.task({
      payload,
      constitutionalContext: { pressureLevel: "instant", cachePolicy: { mode, ...more } },
    });
  const missed = await ended(endpoint, withMode("only"));
  const isMiss = missed?.status === "FAILED" && at(missed, "error.code") === "CACHE_MISS";
  notes.expect("mode only before anything is stored", "FAILED with CACHE_MISS", isMiss, missed);
  const first = await done(endpoint, notes, withMode("prefer"));
  notes.expect("mode prefer", "no hit the first time", hitOf(first) !== true, first);
  const second = await done(endpoint, notes, withMode("prefer"));
  const isHit = hitOf(second) === true && JSON.stringify(second.output) === JSON.stringify(first.output);
  notes.expect("the same again", "a hit with the same output", isHit, second);
  const { cacheKey, ageSec } = at(second, "constitutionalEvidence.cache") as Json;
  const isNamed = typeof cacheKey === "string" && Number.isInteger(ageSec);
  notes.expect("the same again", "cacheKey and ageSec", isNamed, second);
  const bypass = await done(endpoint, notes, withMode("bypass"));
  notes.expect("mode bypass", "no hit", hitOf(bypass) !== true, bypass);
  const stale = await ended(endpoint, withMode("only", { maxAgeSec: 0 }));
  const isStale = stale?.status === "FAILED" && at(stale, "error.code") === "CACHE_MISS";
  notes.expect("mode only with maxAgeSec 0", "FAILED with CACHE_MISS", isStale, stale);
  if (endpoint.options.otherKey === undefined) return;
  const foreign = await ended(endpoint, withMode("only"), endpoint.options.otherKey);
  const isForeign = foreign?.status === "FAILED" || foreign === undefined;
  notes.expect("mode only as another tenant", "no hit", isForeign && hitOf(foreign) !== true, foreign);
}

async function learning(endpoint: Endpoint, notes: Notes): Promise<void> {
  const result = await done(endpoint, notes, endpoint.task());
  const { metrics } = result;
  const hasNumbers =
    typeof metrics === "object" &&
    metrics !== null &&
    Object.values(metrics).some((value) => typeof value === "number");
  notes.expect("a Task", "metrics with numbers", hasNumbers, metrics);
  const checks = at(result, "constitutionalEvidence.policyChecks");
  notes.expect("a Task", "policyChecks, as a list", Array.isArray(checks), result.constitutionalEvidence);
}

async function correlation(endpoint: Endpoint, notes: Notes): Promise<void> {
  const parentTaskId = randomUUID();
  const task = endpoint.task({ parentTaskId });
  const { taskId, correlationId } = task;
  const isSame = (value: Json | undefined) =>
    value?.taskId === taskId && value?.correlationId === correlationId;
  const { ack, results } = await endpoint.outcome(task);
  notes.expect("a Task", "its ids in the Ack", ack.status === 202 && isSame(ack.body), ack);
  notes.expect(
    "a Task",
    "X-Correlation-Id in the answer",
    ack.correlation === correlationId,
    ack.correlation,
  );
  for (const result of [...results, ...(await endpoint.events(taskId))])
    notes.expect("a Task", "its ids in every Result", isSame(result), result);
  const read = await endpoint.result(taskId);
  notes.expect("GET of a task", "X-Correlation-Id", read.correlation === correlationId, read.correlation);
  const headers = { "x-correlation-id": randomUUID() };
  expectNack(notes, "another X-Correlation-Id", await endpoint.submit(endpoint.task(), headers), [
    "INVALID_TASK",
  ]);
}

async function errors(endpoint: Endpoint, notes: Notes): Promise<void> {
  expectNack(notes, "a taskId that nobody submitted", await endpoint.result(randomUUID()), ["NOT_FOUND"]);
  const nowhere = endpoint.task({ target: { capability: `conformance.absent-${randomUUID()}` } });
  expectNack(notes, "a capability that nobody has", await endpoint.submit(nowhere), ["NOT_FOUND"]);
  expectNack(notes, "no JSON", await endpoint.submit("{"), ["INVALID_TASK"]);
  const twice = JSON.stringify(endpoint.task()).replace("{", '{"taskId": "x", ');
  expectNack(notes, "a duplicate key", await endpoint.submit(twice), ["INVALID_TASK"]);
  const task = endpoint.task();
  await endpoint.outcome(task);
  const again = await endpoint.submit(task);
  notes.expect("the same Task twice", "an Ack again", again.status === 202, again);
  const other = await endpoint.submit({ ...task, payload: { topic: "another" } });
  expectNack(notes, "another Task with the same taskId", other, ["INVALID_TASK", "UNPROCESSABLE"]);
  const only = { pressureLevel: "instant", cachePolicy: { mode: "only" } };
  const failed = await ended(endpoint, endpoint.task({ constitutionalContext: only }));
  if (failed?.status !== "FAILED") throw new Skipped("no task failed");
  const message = at(failed, "error.message");
  notes.expect("a Task that fails", "error.message", typeof message === "string" && message !== "", failed);
  notes.expect(
    "a Task that fails",
    "a code of U §8",
    codes.includes(String(at(failed, "error.code"))),
    failed,
  );
}

/** Runs a task to its end; every row that needs a Result needs it to succeed. */
async function done(endpoint: Endpoint, notes: Notes, task: Json): Promise<Json> {
  const { ack, results } = await endpoint.outcome(task);
  const result = results.at(-1);
  notes.expect("a Task", "SUCCEEDED", result?.status === "SUCCEEDED", result ?? ack);
  return result ?? {};
}

async function ended(endpoint: Endpoint, task: Json, key?: string): Promise<Json | undefined> {
  return (await endpoint.outcome(task, key)).results.at(-1);
}

function expectNack(notes: Notes, sent: string, seen: Seen, expected: readonly string[]): void {
  const isRefused = seen.status >= 400 && seen.status < 500;
  notes.expect(sent, "a status of 4xx", isRefused, seen);
  const code = String(at(seen.body, "error.code"));
  notes.expect(sent, `the code ${expected.join(" or ")}`, expected.includes(code), seen.body);
}

function hitOf(result: Json | undefined): unknown {
  return at(result, "constitutionalEvidence.cache.hit");
}

function isUuid(value: unknown): boolean {
  return typeof value === "string" && uuid.test(value);
}

function isInstant(value: unknown): boolean {
  return typeof value === "string" && instant.test(value) && !Number.isNaN(Date.parse(value));
}

function without(task: Json, path: string): Json {
  const copy = structuredClone(task) as Record<string, unknown>;
  const [first = "", second] = path.split(".");
  if (second === undefined) delete copy[first];
  else delete (copy[first] as Record<string, unknown>)[second];
  return copy;
}
