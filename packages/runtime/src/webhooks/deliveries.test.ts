import {
  AbortPipelineRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  ResolveEscalationRequestSchema,
} from "@baton/contract";
import type { NotificationRule, WebhookPolicy } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  eventually,
  HookReceiver,
  isSignedBy,
  reaches,
  refusalOf,
  silent,
  submit,
  TestAgent,
  type TestAgentOptions,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { openMemoryStore } from "../stores/index.ts";
import { retryDelayMs } from "./deliveries.ts";
import { defaultWebhookLimits } from "./limits.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const nextSecret = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const env = {
  HOOK_SECRET: secret,
  NEXT_SECRET: nextSecret,
  SIGNING_KEY: `whsk_${Buffer.alloc(32, 9).toString("base64")}`,
};
const { COMPLETED, FAILED } = PipelineStatus;

const policyOf = (more: Partial<WebhookPolicy> = {}): WebhookPolicy => ({
  hosts: ["127.0.0.1"],
  signing: { others: [{ env: "HOOK_SECRET" }], tenants: new Map() },
  notifications: [],
  ...more,
});

const rule = (address: string, more: Partial<NotificationRule> = {}): NotificationRule => ({
  ...{ name: "ops", address, format: "plain", events: ["waiting", "failed", "completed"] },
  ...{ tenants: [], secrets: [{ env: "HOOK_SECRET" }], perMinute: 60 },
  ...more,
});

async function receiver(): Promise<HookReceiver> {
  const opened = await HookReceiver.open();
  onTestFinished(() => opened.close());
  return opened;
}

type Parts = NonNullable<Parameters<typeof testHub>[0]>;

async function hubWith(webhooks: WebhookPolicy | undefined, { hooks, ...parts }: Parts = {}) {
  const hub = await testHub({ webhooks, hooks: { env, ...hooks }, ...parts });
  onTestFinished(() => hub.drain(0));
  return hub;
}

type TestHub = Awaited<ReturnType<typeof hubWith>>;

function agentFor(hub: TestHub, answer?: TestAgentOptions["answer"]): TestAgent {
  const agent = new TestAgent(hub, { packId: "dev", maxTasks: 50, ...(answer && { answer }) });
  onTestFinished(() => agent.vanish());
  return agent;
}

const ended = { events: ["completed"] } as const;

/** A day would be a day of ticks for the virtual hub; the real one has a test of its own. */
const limits = { giveUpMs: 60_000 };

const failing = () => ({
  status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "it cannot be done" },
});

const questions = async (hub: TestHub) =>
  (
    await hub.listEscalations(
      ada,
      create(ListEscalationsRequestSchema, { filter: "resolved = false AND kind = DELIVERY" }),
    )
  ).escalations;

const first = (to: HookReceiver, count = 1) =>
  eventually(`${count} messages`, () => (to.received.length >= count ? to.received : undefined));

describe("the result of a task", () => {
  it("[SAP-08] is delivered to its address, signed by the Standard Webhooks specification", async () => {
    const to = await receiver();
    const hub = await hubWith(policyOf());
    agentFor(hub);
    const pipelineId = await submit(hub, { replyTo: [to.url] });
    const [message] = await first(to);
    expect(message?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": expect.stringMatching(/^msg_[\w-]{27}$/),
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    });
    expect(message && isSignedBy(secret, message)).toBe(true);
    expect(message && isSignedBy(nextSecret, message)).toBe(false);
    expect(message?.body).toMatchObject({
      type: "run.completed",
      data: { run: { pipelineId, status: "PIPELINE_STATUS_COMPLETED", stages: [{ result: {} }] } },
    });
  });

  it("[SAP-08] is signed by both secrets while one replaces the other, and by Ed25519 with a published key", async () => {
    const to = await receiver();
    const others = [{ env: "HOOK_SECRET" }, { env: "NEXT_SECRET" }];
    const hub = await hubWith(policyOf({ signing: { others, tenants: new Map() } }));
    agentFor(hub);
    await submit(hub, { replyTo: [to.url] });
    const [message] = await first(to);
    expect([secret, nextSecret].map((key) => message && isSignedBy(key, message))).toEqual([true, true]);

    const own = new Map([["acme", [{ env: "SIGNING_KEY" }]]]);
    const signing = { others: [{ env: "HOOK_SECRET" }], tenants: own };
    hub.configure({ templates: new Map(), webhooks: policyOf({ signing }) });
    const [published] = hub.webhookKeys();
    await submit(hub, { idempotencyKey: "key-2", replyTo: [to.url] });
    const [, second] = await first(to, 2);
    expect(published).toMatch(/^whpk_/);
    expect(second && isSignedBy(published ?? "", second)).toBe(true);
    expect(second?.headers["webhook-signature"]).not.toContain("v1,");
  });

  it("[SAP-08] is sent again with the same id and content until the receiver takes it, also after a restart", async () => {
    const to = await receiver();
    to.answer = 503;
    const store = openMemoryStore();
    const clock = new VirtualClock();
    const hub = await hubWith(policyOf(), { store, clock });
    agentFor(hub);
    const pipelineId = await submit(hub, { replyTo: [to.url] });
    await reaches(hub, pipelineId, COMPLETED);
    await first(to);
    await hub.drain(0);
    to.answer = 200;
    await hubWith(policyOf(), { store, clock });
    const [one, two] = await first(to, 2);
    expect(two?.id).toBe(one?.id);
    expect(two?.text).toBe(one?.text);
    expect(two && isSignedBy(secret, two)).toBe(true);
    // A message that was taken has left the outbox.
    await eventually("an empty outbox", async () => {
      await clock.pass(100);
      return (await store.outbox()).length === 0;
    });
    expect(to.received).toHaveLength(2);
  });

  it("[SAP-08] is a question after a day without success, and is sent again when a person says so", async () => {
    const to = await receiver();
    to.answer = 500;
    const clock = new VirtualClock();
    const hub = await hubWith(policyOf(), { clock, hooks: { limits } });
    agentFor(hub);
    const pipelineId = await submit(hub, { replyTo: [`${to.url}?token=hidden`] });
    await reaches(hub, pipelineId, COMPLETED);
    const began = clock.nowMs();
    const asked = await eventually("a question", async () => {
      const [question] = await questions(hub);
      if (!question) await clock.pass(1_000);
      return question;
    });
    expect(clock.nowMs() - began).toBeGreaterThanOrEqual(limits.giveUpMs);
    expect(asked.snapshot).toMatchObject({
      problem: `the result could not be delivered to 127.0.0.1:${to.port}: it answers 500`,
      options: ["retry", "give up"],
    });
    to.answer = 200;
    const before = to.received.length;
    const answer = { escalationId: asked.escalationId, resolution: "retry" };
    await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, answer));
    await first(to, before + 1);
    expect(new Set(to.received.map(({ id }) => id)).size).toBe(1);
    expect(await questions(hub)).toEqual([]);
  });

  it("[SAP-08] is a question at once when the receiver is gone for good", async () => {
    const to = await receiver();
    to.answer = 410;
    const hub = await hubWith(policyOf());
    agentFor(hub);
    await submit(hub, { replyTo: [to.url] });
    const asked = await eventually("a question", async () => (await questions(hub))[0]);
    expect(asked.snapshot?.problem).toContain("it answers 410");
    const answer = { escalationId: asked.escalationId, resolution: "give up" };
    await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, answer));
    expect(to.received).toHaveLength(1);
  });

  it("[SAP-08] never leaves unsigned: without its secret it waits", async () => {
    const to = await receiver();
    const clock = new VirtualClock();
    const missing: Record<string, string | undefined> = {};
    const hub = await hubWith(policyOf(), { clock, hooks: { env: missing } });
    agentFor(hub);
    const pipelineId = await submit(hub, { replyTo: [to.url] });
    await reaches(hub, pipelineId, COMPLETED);
    await clock.pass(60_000);
    expect(to.received).toEqual([]);
    missing.HOOK_SECRET = secret;
    const [message] = await eventually("a message", async () => {
      await clock.pass(1_000);
      return to.received.length > 0 ? to.received : undefined;
    });
    expect(message && isSignedBy(secret, message)).toBe(true);
  });

  it("[SAP-08] goes to the address that was checked, and not to one inside that the name has later", async () => {
    const to = await receiver();
    const clock = new VirtualClock();
    const looks: string[] = [];
    // The first look finds an address of the internet that nobody answers at, the second this machine.
    const resolve = async (name: string) => {
      looks.push(name);
      return looks.length === 1 ? ["240.0.0.1"] : ["127.0.0.1"];
    };
    const hub = await hubWith(policyOf({ hosts: [] }), { clock, hooks: { resolve, limits } });
    agentFor(hub);
    const pipelineId = await submit(hub, { replyTo: ["https://hooks.example/x"] });
    await reaches(hub, pipelineId, COMPLETED);
    const asked = await eventually("a question", async () => {
      const [question] = await questions(hub);
      if (!question) await clock.pass(1_000);
      return question;
    });
    expect(looks.length).toBeGreaterThan(1);
    expect(asked.snapshot?.problem).toContain(
      "only public https hosts on the default port and hosts of webhooks.hosts are called",
    );
    expect(to.received).toEqual([]);
  });

  it("[SAP-08] is not sent where an answer redirects", async () => {
    const [to, other] = [await receiver(), await receiver()];
    to.answer = (_, response) => void response.writeHead(307, { location: other.url }).end();
    const clock = new VirtualClock();
    const hub = await hubWith(policyOf(), { clock });
    agentFor(hub);
    await submit(hub, { replyTo: [to.url] });
    await first(to);
    to.answer = 200;
    await eventually("the second attempt", async () => {
      await clock.pass(1_000);
      return to.received.length > 1;
    });
    expect(other.received).toEqual([]);
  });

  it("[SAP-03] is preceded by what happens before the end, on request", async () => {
    const to = await receiver();
    const hub = await hubWith(policyOf());
    const pipelineId = await submit(hub, { replyTo: [to.url], replyProgress: true });
    await first(to);
    // The question is answered when an agent comes.
    agentFor(hub, silent);
    await first(to, 2);
    await hub.abortPipeline(ada, create(AbortPipelineRequestSchema, { pipelineId, reason: "enough" }));
    const messages = await first(to, 3);
    const types = messages.map(({ body }) => body.type);
    expect(types).toEqual(["run.waiting", "run.running", "run.aborted"]);
    const asked = messages.find(({ body }) => body.type === "run.waiting");
    expect(asked?.body.data).toMatchObject({ questions: [{ kind: "ESCALATION_KIND_ROUTING" }] });
  });

  it.each([
    ["http to a public host", "http://example.com/", "only public https hosts"],
    ["this machine", "https://127.0.0.1/", "only public https hosts"],
    ["credentials", "https://ada:pw@example.com/", "the address contains credentials"],
    ["another scheme", "ftp://example.com/", "only http and https are called"],
    ["no URL", "example.com", "it is not a URL"],
  ])("[SAP-08] cannot be asked for at %s", async (_what, address, why) => {
    const hub = await hubWith(policyOf({ hosts: ["hooks.internal"] }));
    const refused = await refusalOf(submit(hub, { replyTo: ["http://hooks.internal:8080/x", address] }));
    expect(refused.code).toBe("BATON-SUBMIT-005");
    expect(refused.message).toContain(why);
    expect(refused.violations[0]?.field).toBe("reply_to[1]");
  });

  it("[SAP-08] cannot be asked for when the hub has no secret to sign with", async () => {
    const hub = await hubWith(undefined);
    const refused = await refusalOf(submit(hub, { replyTo: ["https://example.com/"] }));
    expect([refused.code, refused.violations[0]?.field]).toEqual(["BATON-SUBMIT-005", "reply_to"]);
  });

  it("[SAP-08] of a governed task is what its builder writes, redacted", async () => {
    const to = await receiver();
    const resultBody = () => ({
      taskId: "7fbb32b6",
      output: { note: "call 079 123 45 67, ada@example.com" },
    });
    const hub = await hubWith(policyOf(), { hooks: { env, resultBody } });
    agentFor(hub);
    await submit(hub, { replyTo: [to.url] });
    const [message] = await first(to);
    expect(message?.body).toMatchObject({ taskId: "7fbb32b6" });
    expect(message?.text).not.toContain("ada@example.com");
  });
});

describe("the time of the next attempt", () => {
  it("[SAP-08] grows with the time tried so far, and the last one is after a day", () => {
    const dayMs = 86_400_000;
    const times = [0];
    while ((times.at(-1) ?? dayMs) < dayMs)
      times.push((times.at(-1) ?? 0) + retryDelayMs(times.at(-1) ?? 0, defaultWebhookLimits));
    expect(times.slice(0, 5)).toEqual([0, 1_000, 2_000, 3_000, 4_500]);
    expect(times.at(-1)).toBe(dayMs);
    expect(times.length).toBeLessThan(40);
    expect(Math.max(...times.map((at, index) => at - (times[index - 1] ?? 0)))).toBe(10_800_000);
  });

  it("[SAP-08] is not before the receiver asks for it, within limits", () => {
    expect(retryDelayMs(0, defaultWebhookLimits, 120_000)).toBe(120_000);
    expect(retryDelayMs(0, defaultWebhookLimits, 999_999_999)).toBe(10_800_000);
  });
});

describe("a notification", () => {
  it("reports a run that waits for a person, and one that failed, for the events of its rule", async () => {
    const to = await receiver();
    const hub = await hubWith(policyOf({ notifications: [rule(to.url, { events: ["waiting", "failed"] })] }));
    agentFor(hub, failing);
    const pipelineId = await submit(hub, {
      contract: { taskId: "t", title: "Fix <login>", acceptanceCriteria: ["y"] },
    });
    await reaches(hub, pipelineId, FAILED, PipelineStatus.PAUSED);
    const [message] = await first(to);
    expect(message && isSignedBy(secret, message)).toBe(true);
    expect(message?.body.type).toMatch(/^run\.(waiting|failed)$/);
  });

  it("is a message for a chat, which cannot be made to mention anybody", async () => {
    const to = await receiver();
    const chat = rule(to.url, { format: "slack", secrets: [], events: ["completed"] });
    const hub = await hubWith(policyOf({ notifications: [chat] }));
    agentFor(hub);
    const title = "Fix <!channel> & more";
    const pipelineId = await submit(hub, { contract: { taskId: "t", title, acceptanceCriteria: ["y"] } });
    const [message] = await first(to);
    expect(message?.body).toEqual({
      text: `:white_check_mark: *Fix &lt;!channel&gt; &amp; more* completed (run ${pipelineId})`,
    });
    expect(message?.headers["webhook-signature"]).toBeUndefined();
  });

  it("is not sent faster than its rule allows, and none is lost", async () => {
    const to = await receiver();
    const clock = new VirtualClock();
    const rules = [rule(to.url, { perMinute: 2, events: ["completed"] })];
    const hub = await hubWith(policyOf({ notifications: rules }), { clock });
    agentFor(hub);
    for (const key of ["a", "b", "c", "d"])
      await reaches(hub, await submit(hub, { idempotencyKey: key }), COMPLETED);
    await first(to, 2);
    await clock.pass(29_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(to.received).toHaveLength(2);
    await clock.pass(1_000);
    await first(to, 3);
    await clock.pass(30_000);
    await first(to, 4);
    expect(new Set(to.received.map(({ id }) => id)).size).toBe(4);
  });

  it("of another tenant's runs is not sent, and none after its rule is gone", async () => {
    const to = await receiver();
    to.answer = 500;
    const store = openMemoryStore();
    const clock = new VirtualClock();
    const [others, own] = [rule(to.url, { name: "others", tenants: ["globex"] }), rule(to.url, ended)];
    const hub = await hubWith(policyOf({ notifications: [others, own] }), { store, clock });
    agentFor(hub);
    await reaches(hub, await submit(hub), COMPLETED);
    await first(to);
    hub.configure({ templates: new Map(), webhooks: policyOf() });
    await eventually("an empty outbox", async () => {
      await clock.pass(1_000);
      return (await store.outbox()).length === 0;
    });
    expect(to.received).toHaveLength(1);
  });

  it("that nobody takes for a day is given up with a line in the log, and asks nobody", async () => {
    const to = await receiver();
    to.answer = 500;
    const clock = new VirtualClock();
    const problems: string[] = [];
    const hub = await hubWith(policyOf({ notifications: [rule(to.url, ended)] }), {
      clock,
      hooks: { limits },
      onProblem: ({ message }) => problems.push(message),
    });
    agentFor(hub, () => silent() ?? {});
    const pipelineId = await submit(hub);
    await reaches(hub, pipelineId, COMPLETED);
    await eventually("the line", async () => {
      await clock.pass(1_000);
      return problems.length > 0;
    });
    expect(problems).toEqual([`notification "ops" of run ${pipelineId} was given up: it answers 500`]);
    expect(await questions(hub)).toEqual([]);
  });
});
