/** Agents that do everything right pass every case: ours, and one in Python that shares only the proto files. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { attachedCases, calledCases } from "./testing/case-ids.ts";
import { checkCommand, failuresIn, idsOf } from "./testing/start.ts";

const here = import.meta.dirname;

/** A good agent passes however busy the machine is. */
const patienceMs = 60_000;

describe.concurrent("an agent of @baton/agent", () => {
  it.for([
    ["attached", attachedCases],
    ["grpc", calledCases],
    ["http-json", calledCases],
  ] as const)(
    "[TRN-01] [DIS-16] [CON-11] passes the whole suite: %s",
    async ([transport, cases], { expect }) => {
      const command = [process.execPath, join(here, "testing/sdk-agent.ts"), transport];
      const reports = await checkCommand(command, { transport, patienceMs });
      expect(failuresIn(reports)).toEqual({});
      expect(idsOf(reports, "pass").toSorted()).toEqual(cases);
    },
  );
});

const { BATON_PYTHON_GRPC: python = "", BATON_PROTOC: protoc = "" } = process.env;

describe.skipIf(!python || !protoc).concurrent("an agent in Python", () => {
  const protoFolder = resolve(here, "../../proto");
  let generated = "";

  beforeAll(() => {
    generated = mkdtempSync(join(tmpdir(), "baton-python-agent-"));
    const protos = globSync("{buf,vasini}/**/*.proto", { cwd: protoFolder }).sort();
    execFileSync(protoc, ["--proto_path", protoFolder, "--python_out", generated, ...protos], {
      stdio: "pipe",
    });
  });

  afterAll(() => rmSync(generated, { recursive: true, force: true }));

  it.for([
    ["attached", attachedCases],
    ["grpc", calledCases],
  ] as const)(
    "[TRN-01] [DIS-16] [CON-11] passes the whole suite: %s",
    async ([transport, cases], { expect }) => {
      // -B: leaves no compiled files beside the source.
      const command = [python, "-B", join(here, "python/agent.py"), generated, transport];
      const reports = await checkCommand(command, { transport, patienceMs });
      expect(failuresIn(reports)).toEqual({});
      expect(idsOf(reports, "pass").toSorted()).toEqual(cases);
    },
  );
});
