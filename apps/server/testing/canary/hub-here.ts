import type { EgressFilter } from "@baton/runtime";
import { openHub } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createLog } from "../../src/log.ts";
import { openOperatorToken, tokenFileOf } from "../../src/operator/token-file.ts";
import { startServer } from "../../src/start-server.ts";
import type { Capture } from "./capture.ts";

/** The hub as the program puts it together, in this process, with a filter of the test's. */
export async function startHubHere(folder: string, data: string, capture: Capture, filter: EgressFilter) {
  const ports = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const reading = loadConfig([...ports, "--data", data, "--project", folder], {}, folder);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { config } = reading;
  const log = createLog("debug", filter, { write: (line: string) => capture.add("log", line) });
  const { hub, store } = await openHub(config, log, filter);
  const operatorToken = openOperatorToken(data);
  const server = await startServer({ hub, config: { ...config.server, operatorToken }, log, filter });
  return {
    log,
    grpc: server.grpcAddress,
    http: server.httpAddress,
    operatorTokenFile: tokenFileOf(data),
    async stop() {
      await hub.drain(0);
      await server.close(0);
      await store.close();
    },
  };
}
