import { startModelServer } from "@baton/models/testing";
import { onTestFinished } from "vitest";

/** A local model in place of a provider, which answers every call like this until the test ends. Returns its address. */
export async function startLocalModel(response: object): Promise<string> {
  const server = await startModelServer(() => ({ text: JSON.stringify(response) }));
  onTestFinished(() => server.close());
  return server.baseUrl;
}
