import { afterEach, describe, expect, it, vi } from "vitest";
import { AgentError } from "./agent-error.ts";

describe("an error of the SDK", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("names npx baton when npm started the agent", () => {
    vi.stubEnv("npm_command", "exec");
    expect(new AgentError("BATON-SDK-015", "away").fix).toContain("(npx baton up)");
    vi.stubEnv("npm_command", "");
    expect(new AgentError("BATON-SDK-015", "away").fix).toContain("(baton up)");
  });
});
