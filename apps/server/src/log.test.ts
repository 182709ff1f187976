import { defaultRedactor, EgressFilter } from "@baton/runtime";
import { describe, expect, it } from "vitest";
import { hubDouble } from "../testing/hub-double.ts";
import { runServer } from "../testing/running-server.ts";
import { print } from "./commands/print.ts";
import { hubRedactor } from "./hub-redactor.ts";
import { alertByLog, createLog } from "./log.ts";

const token = `gh${"p_"}${"a1B2c3D4e5F6g7H8i9J0".repeat(2)}`;
const mail = `jane.doe@example.${"org"}`;

function logTo(filter: EgressFilter) {
  const lines: string[] = [];
  const log = createLog("info", filter, { write: (line: string) => lines.push(line) });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("the log", () => {
  it("[OBS-05] has no secrets in it, wherever they stand, and stays JSON", () => {
    const { log, lines, parsed } = logTo(new EgressFilter());
    const cause = new Error(`Authorization: Basic ${token}`);
    const err = Object.assign(new Error(`\npassword=swordfish9 of ${mail}`, { cause }), { token: "tok-1" });
    log.child({ traceId: "t", note: token }).error({ err, nested: { api_key: "k-123" } }, `sent ${token}`);
    const text = lines.join("");
    for (const planted of [token, mail, "swordfish9", "tok-1", "k-123"]) expect(text).not.toContain(planted);
    expect(parsed()).toMatchObject([{ level: 50, traceId: "t", msg: "sent [redacted:github-token]" }]);
  });

  it("[OBS-05] keeps who called", () => {
    const { log, parsed } = logTo(new EgressFilter());
    log.info({ tenant: mail, caller: "ada" }, "call");
    expect(parsed()).toMatchObject([{ tenant: mail, caller: "ada", msg: "call" }]);
  });

  it("[OBS-05] says in the place of a line that it is withheld, when redaction fails", () => {
    const filter = new EgressFilter({
      redactor: {
        ...defaultRedactor(),
        redactValue: () => {
          throw new Error(`of ${token}`);
        },
      },
    });
    const { log, lines, parsed } = logTo(filter);
    alertByLog(filter, log);
    log.info(`using ${token}`);
    expect(parsed()).toMatchObject([
      { level: 60, code: "BATON-REDACTION-101", way: "log", msg: "a log line is withheld" },
    ]);
    expect(lines.join("")).not.toContain(token);
  });

  it("[OBS-05] logs at its highest level where redaction failed", () => {
    const filter = new EgressFilter({
      redactor: {
        ...defaultRedactor(),
        redactText: () => {
          throw new Error("broken");
        },
      },
    });
    const { log, parsed } = logTo(filter);
    alertByLog(filter, log);
    expect(() => filter.at("event").redactText("x")).toThrow("redaction broke off");
    expect(parsed()).toMatchObject([{ level: 60, way: "event", code: "BATON-REDACTION-101" }]);
  });

  it("[OBS-05] knows the secrets of the hub's own environment by the names of their variables", () => {
    const env = { DB_PASSWORD: "correct horse", SHORT_TOKEN: "abc", HOME: "/home/ada-home" };
    const filter = new EgressFilter({ redactor: hubRedactor(undefined, env) });
    const printed: string[] = [];
    const encoded = Buffer.from("correct horse").toString("base64");
    print({ write: (text) => printed.push(text) }, `correct horse ${encoded} /home/ada-home`, filter);
    expect(printed).toEqual(["[redacted:known-secret] [redacted:known-secret] /home/ada-home\n"]);
  });
});

describe("errors of the API", () => {
  const quoting = [
    ["an unknown field", { [token]: 1 }],
    ["a value of a wrong type", { idempotencyKey: "k", contract: token }],
    ["an enum", { idempotencyKey: "k", taskType: "t", priority: token, contract: {} }],
  ] as const;

  it.each(quoting)("[OBS-05] quote no secret of a request that cannot be read: %s", async (_, body) => {
    const server = await runServer();
    const answer = await server.post("/vasini.agent.v1.OrchestratorService/SubmitTask", body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain(token);
    await server.close(1_000);
    expect(JSON.stringify(server.log)).not.toContain(token);
  });

  it("[OBS-05] quote no secret of what Connect itself complains about", async () => {
    const server = await runServer();
    const path = "/vasini.agent.v1.OrchestratorService/GetPipeline";
    const headers: readonly Record<string, string>[] = [
      { "connect-timeout-ms": token },
      { "content-type": `application/${token}` },
      { "content-encoding": token },
      { "connect-protocol-version": token },
      { traceparent: token },
      { authorization: `Bearer ${token}` },
      { origin: `http://${token}` },
    ];
    for (const one of headers) {
      const answer = await server.post(path, { pipelineId: "p" }, one);
      const received = (await answer.text()) + JSON.stringify([...answer.headers]);
      expect(received, JSON.stringify(one)).not.toContain(token);
    }
    const odd = await fetch(`${server.httpAddress}/v1/events?${token}=1`);
    expect(await odd.text()).not.toContain(token);
    await server.close(1_000);
    expect(JSON.stringify(server.log)).not.toContain(token);
  });
});

describe("a probe", () => {
  it("[OBS-05] informs operators that redaction failed, while work continues", async () => {
    const filter = new EgressFilter({
      redactor: {
        ...defaultRedactor(),
        redactText: () => {
          throw new Error("broken");
        },
      },
    });
    const server = await runServer(hubDouble(), {}, filter);
    const ready = async () => (await fetch(`${server.httpAddress}/readyz`)).json();
    expect(await ready()).toEqual({ status: "ready" });
    expect(() => filter.at("audit").redactText("x")).toThrow("redaction broke off");
    expect(await ready()).toEqual({
      status: "ready",
      warnings: ["redaction failed: audit BATON-REDACTION-101, 1 times"],
    });
  });
});
