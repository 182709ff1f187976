/**
 * The hub under test, composed as `apps/server` does it. Its environment states addresses, the data folder, the shift of its
 * clock and the point at which it kills itself; messages may change the latter two.
 */
import "./processes/shift-at-start.ts";

import { appendFileSync, closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { defaultFleetSettings, endEvents } from "@baton/kernel";
import {
  commandVerifier,
  createHub,
  openSqliteStore,
  type Point,
  referenceReader,
  StoreUnavailable,
} from "@baton/runtime";
import { startServer } from "@baton/server";
import { pino } from "pino";
import { limits, operatorToken } from "./limits.ts";
import { hookSecret } from "./network/hook-target.ts";
import { type FromHub, isToHub } from "./processes/messages.ts";
import { shiftClock } from "./processes/shifted-date.ts";

const {
  CHAOS_DATA: data = "",
  CHAOS_GRPC: grpcPort = "0",
  CHAOS_HTTP: httpPort = "0",
  CHAOS_ALLOWED_HOST: allowedHost = "",
  CHAOS_HOOK_URL: hookUrl = "",
  CHAOS_LOG: logFile = "",
  CHAOS_KILL_POINT: killPoint = "",
  CHAOS_KILL_AT: killAt = "1",
} = process.env;

let armed = killPoint;
let passesLeft = Number(killAt);

/** After SIGKILL not even this function returns. */
function reach(point: Point): void {
  if (point !== armed || --passesLeft > 0) return;
  process.kill(process.pid, "SIGKILL");
}

function send(message: FromHub): void {
  process.send?.(message);
}

const log = pino({ level: "warn", base: null }, { write: (line: string) => appendFileSync(logFile, line) });
const store = await openSqliteStore({ directory: data });
const hub = await createHub({
  store,
  templates: new Map(),
  orchestratorVersion: "0.1.0",
  verifier: commandVerifier(),
  references: referenceReader(),
  webhooks: {
    hosts: ["127.0.0.1"],
    signing: { others: [], tenants: new Map() },
    notifications: [
      {
        ...{ name: "ends", address: hookUrl, format: "plain", events: endEvents, tenants: [] },
        ...{ secrets: [{ env: "HOOK_SECRET" }], perMinute: 60_000 },
      },
    ],
  },
  hooks: { env: { HOOK_SECRET: hookSecret } },
  fleet: {
    ...defaultFleetSettings,
    leaseTtlMs: { ...defaultFleetSettings.leaseTtlMs, default: limits.leaseMs },
    breaker: limits.breaker,
  },
  attach: { resumeGraceMs: limits.resumeGraceMs },
  onProblem: (problem) => {
    log.error({ err: problem }, "problem");
    send({
      kind: "problem",
      message: problem.stack ?? problem.message,
      ofStore: problem instanceof StoreUnavailable,
    });
  },
  reach,
});
const at = (port: string) => ({ host: "127.0.0.1", port: Number(port) });
const server = await startServer({
  hub,
  config: { grpc: at(grpcPort), http: at(httpPort), allowedHosts: [allowedHost], operatorToken },
  log,
});

const ballast = join(data, "ballast");

/** Writes until the disk is full. */
function fillDisk(): void {
  const file = openSync(ballast, "a");
  for (let size: number = limits.ballastChunkBytes; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeSync(file, new Uint8Array(size));
    } catch {
      // No room for a piece of this size.
    }
  }
  closeSync(file);
}

async function stop(copyTo: string | undefined): Promise<void> {
  server.stopTaking();
  await hub.drain(limits.drainMs);
  await server.close(limits.drainMs);
  await store.close();
  if (copyTo !== undefined) cpSync(data, copyTo, { recursive: true });
  process.exit(0);
}

process.on("message", (message) => {
  if (!isToHub(message)) return;
  switch (message.kind) {
    case "arm":
      armed = message.point;
      passesLeft = message.at;
      return;
    case "shift":
      return shiftClock(message.ms);
    case "fill":
      fillDisk();
      return send({ kind: "filled" });
    case "make room":
      rmSync(ballast, { force: true });
      return send({ kind: "room" });
    case "stop":
      void stop(message.copyTo);
  }
});
// The parent is gone.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
send({ kind: "ready" });
// A killed process does not write its compile cache.
flushCompileCache();
