import { AgentRole, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { readProfessionPack } from "./profession-pack.ts";

const shortest = { pack_id: "qa-engineer", pack_version: "1.0.0", supported_task_types: ["code-review"] };

const read = (pack: object) => {
  const result = readProfessionPack({ profession_pack: pack });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.pack;
};

const problemsOf = (content: unknown) => {
  const result = readProfessionPack(content);
  return result.ok ? [] : result.problems.map(({ code, at, message }) => `${code} ${at}: ${message}`);
};

describe("a profession pack", () => {
  it("[DIS-01] has the fields of the manifest by their names", () => {
    const { manifest, command } = read({
      ...shortest,
      capability_schema_version: "1.2.0",
      min_orchestrator_version: "0.1.0",
      safety_tier: "CRITICAL",
      provided_tools: ["npm"],
      required_tools: ["git"],
      owner_domains: ["billing"],
      interface: {
        supported_schema_versions: ["1.x"],
        accepted_risk_tiers: ["LOW", "RISK_TIER_NORMAL"],
        max_concurrent_tasks: 2,
        max_task_duration: "30m",
      },
      role: "REVIEWER",
      data_schema: { type: "object" },
      description: "Reads what others wrote.",
    });
    expect(command).toBeUndefined();
    expect(manifest).toMatchObject({
      packId: "qa-engineer",
      packVersion: "1.0.0",
      capabilitySchemaVersion: "1.2.0",
      minOrchestratorVersion: "0.1.0",
      safetyTier: RiskTier.CRITICAL,
      supportedTaskTypes: ["code-review"],
      providedTools: ["npm"],
      requiredTools: ["git"],
      ownerDomains: ["billing"],
      interface: {
        supportedSchemaVersions: ["1.x"],
        acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
        maxConcurrentTasks: 2,
        maxTaskDuration: { seconds: 1800n },
      },
      role: AgentRole.REVIEWER,
      dataSchema: { type: "object" },
      description: "Reads what others wrote.",
    });
  });

  it("[DIS-01] fills in what can only be one thing", () => {
    expect(read(shortest).manifest).toMatchObject({
      capabilitySchemaVersion: "1.0.0",
      safetyTier: RiskTier.NORMAL,
      interface: {
        supportedSchemaVersions: ["^1.0.0"],
        acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
      },
    });
  });

  it("[DIS-01] reports all mistakes at once, each with its path", () => {
    expect(
      problemsOf({
        profession_pack: {
          pack_id: "qa engineer",
          pack_version: "1",
          safety_teir: "LOW",
          provided_tools: ["x".repeat(257)],
          interface: { accepted_risk_tiers: ["HIGH"], max_concurrent_tasks: -1 },
        },
      }),
    ).toEqual([
      "BATON-CONFIG-001 profession_pack.safety_teir: is not known here",
      "BATON-CONFIG-001 profession_pack.pack_id: must be the id of a pack: letters, digits, hyphens and dots",
      "BATON-CONFIG-001 profession_pack.pack_version: must be a version: MAJOR.MINOR.PATCH",
      "BATON-CONFIG-001 profession_pack.supported_task_types: is missing",
      "BATON-CONFIG-001 profession_pack.provided_tools[0]: must be a text of 1 to 256 characters",
      'BATON-CONFIG-001 profession_pack.interface.accepted_risk_tiers[0]: "HIGH" is not a risk tier',
      "BATON-CONFIG-001 profession_pack.interface.max_concurrent_tasks: must be a whole number from 1 to 2147483647",
    ]);
  });

  it.each([null, [], "text", {}, { profession_pack: null }])(
    "[DIS-01] is refused when it is %j",
    (content) => {
      expect(problemsOf(content)[0]).toMatch(/is missing|says nothing|must hold fields/);
    },
  );
});

describe("the command of a pack", () => {
  it("[TRN-03] is a preset or an argument list, and what goes with it", () => {
    expect(read({ ...shortest, command: { preset: "claude-code" } }).command).toEqual({
      preset: "claude-code",
      envelope: "stdin",
      env: {},
      passEnv: [],
      extraArgs: [],
    });
    const command = {
      run: ["my-agent", "--json", ""],
      envelope: "file",
      env: { LANG: "C" },
      pass_env: ["MY_KEY"],
      output: "stream-json",
      timeout: "30m",
    };
    expect(read({ ...shortest, command }).command).toEqual({
      run: ["my-agent", "--json", ""],
      envelope: "file",
      env: { LANG: "C" },
      passEnv: ["MY_KEY"],
      output: "stream-json",
      timeoutMs: 1_800_000,
      extraArgs: [],
    });
  });

  it.each([
    [{}, "BATON-CONFIG-002", "says nothing about what to run"],
    [{ preset: "codex", run: ["codex"] }, "BATON-CONFIG-002", "says twice what to run"],
    [{ run: "codex exec" }, "BATON-CONFIG-001", ".run: must be a list"],
    [{ run: [] }, "BATON-CONFIG-001", ".run: must have at least one item"],
    [{ run: [""] }, "BATON-CONFIG-002", ".run: names no program"],
    [{ run: ["a\0b"] }, "BATON-CONFIG-001", ".run[0]: must be a text of up to 4096 characters, without NUL"],
    [{ run: ["a"], timeout: "2d" }, "BATON-CONFIG-002", ".timeout: must be at most 1d"],
    [{ run: ["a"], timeout: "0s" }, "BATON-CONFIG-001", ".timeout: must be longer than zero"],
    [{ run: ["a"], model: "large" }, "BATON-CONFIG-002", ".model: is for presets only"],
    [{ run: ["a"], env: { "A=B": "c" } }, "BATON-CONFIG-001", ".env.A=B: is not the name of a variable"],
    [{ run: ["a"], pass_env: ["A B"] }, "BATON-CONFIG-001", ".pass_env[0]: must be the name of a variable"],
    [{ run: ["a"], envelope: "pipe" }, "BATON-CONFIG-001", '"pipe" is not a way to hand over the task'],
  ])("[TRN-03] %j is refused", (command, code, message) => {
    const problems = problemsOf({ profession_pack: { ...shortest, command } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(code);
    expect(problems[0]).toContain(message);
  });

  it("[TRN-03] says what of the machine a command may use", () => {
    const { command } = read({
      ...shortest,
      command: {
        ...{ run: ["agent"], network: true, home: [".config/gh"], home_writable: [".cache/agent"] },
        ...{ readable: ["../shared"], memory_limit: 2_000_000_000, process_limit: 50, file_limit: 1_000 },
      },
    });
    expect(command).toMatchObject({
      ...{ network: true, home: [".config/gh"], homeWritable: [".cache/agent"], readable: ["../shared"] },
      ...{ memoryBytes: 2_000_000_000, processes: 50, fileBytes: 1_000 },
    });
    expect(command).not.toHaveProperty("sandbox");
    expect(read({ ...shortest, command: { run: ["agent"], sandbox: "off" } }).command?.sandbox).toBe("off");
  });

  it("[TRN-03] refuses what would have no effect, or lead out of the home", () => {
    const faults = (command: object) =>
      problemsOf({ profession_pack: { ...shortest, command } }).map((text) => text.replace(/^\S+ /, ""));
    expect(faults({ run: ["agent"], sandbox: "off", network: false })).toEqual([
      "profession_pack.command.network: has no effect with sandbox: off",
    ]);
    for (const path of ["/etc", "..", "a/../../b", ".", "a/."])
      expect(faults({ run: ["agent"], home: [path] })).toEqual([
        "profession_pack.command.home[0]: must be a path below the home, without . and ..",
      ]);
    expect(faults({ run: ["agent"], memory_limit: 0 })).toHaveLength(1);
    expect(faults({ run: ["agent"], sandbox: "none" })).toHaveLength(1);
    expect(faults({ preset: "codex", repository_settings: "load" })).toEqual([
      "profession_pack.command.repository_settings: is for the preset claude-code only",
    ]);
  });
});
