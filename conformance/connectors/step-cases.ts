import {
  ListEscalationsRequestSchema,
  Outcome,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  StepState,
} from "@baton/contract";
import { ada } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import type { Connector } from "./connector.ts";
import { step } from "./reported-steps.ts";
import { polling, result, Setting } from "./setting.ts";

const again = { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "again" } };

/** Durable steps: reported, acknowledged, and given to the next attempt at the same work (PIP-11, SAC-12). */
export function stepCases(connector: Connector): void {
  it("[TRN-01] [PIP-11] stores a step before it acknowledges it, and gives it to the attempt after a lost one", async () => {
    const seen: unknown[] = [];
    const setting = await Setting.of(
      connector,
      async ({ envelope, number, report, given, say, die, cancelled }) => {
        const steps = await given();
        seen.push(steps.map(({ name, state, valueJson }) => [name, StepState[state], valueJson]));
        if (number > 1) return say(result(envelope));
        await report(step("paid", { valueJson: '{"text":"Zażółć \\u2028"}' }));
        await report(step("begun", { state: StepState.STARTED, valueJson: "" }));
        die();
        await cancelled;
      },
    );
    await setting.ends(await setting.submit());
    expect(seen).toEqual([
      [],
      [
        ["paid", "COMPLETED", '{"text":"Zażółć \\u2028"}'],
        ["begun", "STARTED", ""],
      ],
    ]);
  });

  it("[TRN-01] [PIP-11] takes a step that is only said before the result that follows it", async () => {
    const seen: string[][] = [];
    const setting = await Setting.of(connector, async ({ envelope, number, given, say }) => {
      seen.push((await given()).map(({ name }) => name));
      if (number === 1) say({ case: "step", value: step("said") });
      say(result(envelope, number === 1 ? again : {}));
    });
    await setting.ends(await setting.submit());
    expect(seen).toEqual([[], ["said"]]);
  });

  it("[TRN-01] [PIP-11] gives steps to the attempt after a question, and none after a rejection", async () => {
    const seen: string[][] = [];
    const asks = { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "Which?" } };
    const setting = await Setting.of(connector, async ({ envelope, number, report, given, say }) => {
      seen.push((await given()).map(({ name }) => name));
      await report(step(`of ${number}`));
      say(result(envelope, number === 1 ? asks : number === 2 ? { taskId: "another" } : {}));
    });
    const pipelineId = await setting.submit();
    const open = () => setting.hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    await expect.poll(async () => (await open()).escalations.length, polling).toBe(1);
    const { escalationId = "" } = (await open()).escalations[0] ?? {};
    const request = { escalationId, resolution: "that", reason: "it is" };
    await setting.hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, request));
    await setting.ends(pipelineId);
    expect(seen).toEqual([[], ["of 1"], []]);
  });

  it("[TRN-01] [PIP-11] stores a repeated step once, refuses one that is too large, and goes on", async () => {
    const outcomes: (string | undefined)[] = [];
    const seen: string[][] = [];
    const setting = await Setting.of(connector, async ({ envelope, number, report, given, say }) => {
      seen.push((await given()).map(({ name }) => name));
      if (number === 1) {
        outcomes.push(await report(step("once")));
        outcomes.push(await report(step("once")));
        outcomes.push(await report(step("large", { valueJson: JSON.stringify("x".repeat(1024 * 1024)) })));
        outcomes.push(await report(step("broken", { valueJson: "{" })));
      }
      say(result(envelope, number === 1 ? again : {}));
    });
    await setting.ends(await setting.submit());
    expect(outcomes).toEqual([undefined, undefined, "BATON-STEP-003", "BATON-STEP-004"]);
    expect(seen).toEqual([[], ["once"]]);
  });

  it("[TRN-01] [PIP-11] gives many large steps, in the order in which they were reported", async () => {
    const seen: string[][] = [];
    const setting = await Setting.of(connector, async ({ envelope, number, report, given, say }) => {
      seen.push((await given()).map(({ occurrence, valueJson }) => `${occurrence} ${valueJson.length}`));
      const valueJson = JSON.stringify("x".repeat(50_000));
      for (let occurrence = 1; number === 1 && occurrence <= 5; occurrence++)
        await report(step("large", { occurrence, valueJson }));
      say(result(envelope, number === 1 ? again : {}));
    });
    await setting.ends(await setting.submit());
    expect(seen).toEqual([[], [1, 2, 3, 4, 5].map((place) => `${place} 50002`)]);
  });
}
