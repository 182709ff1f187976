import { describe, expect, it } from "vitest";
import { readWebhooks } from "./webhooks.ts";

const read = (webhooks: unknown) => readWebhooks({ webhooks });
const chat = { name: "chat", url: "https://chat.example/hook", format: "slack", events: ["failed"] };
const secret = { env: "HOOK_SECRET" };

describe("the file of webhooks", () => {
  it("[SAP-08] says who signs results, who is notified of what, and which hosts may be called", () => {
    const reading = read({
      hosts: ["hooks.internal", "10.1.0.0/16"],
      signing: {
        secrets: [secret, { file: "next.secret" }],
        tenants: [{ tenant_id: "acme", secrets: [secret] }],
      },
      notifications: [
        { ...chat, url: undefined, url_from: { env: "CHAT_URL" } },
        {
          name: "ops",
          url: "https://ops.example/",
          events: ["waiting", "waiting"],
          secrets: [secret],
          per_minute: 5,
        },
      ],
    });
    expect(reading).toEqual({
      ok: true,
      policy: {
        hosts: ["hooks.internal", "10.1.0.0/16"],
        signing: {
          others: [secret, { file: "next.secret" }],
          tenants: new Map([["acme", [secret]]]),
        },
        notifications: [
          {
            ...{ name: "chat", address: { env: "CHAT_URL" }, format: "slack", events: ["failed"] },
            ...{ tenants: [], secrets: [], perMinute: 60 },
          },
          {
            ...{ name: "ops", address: "https://ops.example/", format: "plain", events: ["waiting"] },
            ...{ tenants: [], secrets: [secret], perMinute: 5 },
          },
        ],
      },
    });
  });

  it.each([
    ["a secret itself", { signing: { secrets: ["whsec_abc"] } }, "webhooks.signing.secrets[0]"],
    [
      "a secret in two places",
      { signing: { secrets: [{ env: "A", file: "b" }] } },
      "webhooks.signing.secrets[0]",
    ],
    ["three secrets", { signing: { secrets: [secret, secret, secret] } }, "webhooks.signing.secrets"],
    [
      "a tenant twice",
      {
        signing: {
          tenants: [
            { tenant_id: "a", secrets: [secret] },
            { tenant_id: "a", secrets: [secret] },
          ],
        },
      },
      "webhooks.signing.tenants[1].tenant_id",
    ],
    ["a name twice", { notifications: [chat, chat] }, "webhooks.notifications[1].name"],
    ["no address", { notifications: [{ ...chat, url: undefined }] }, "webhooks.notifications[0]"],
    ["two addresses", { notifications: [{ ...chat, url_from: secret }] }, "webhooks.notifications[0]"],
    [
      "a file as address",
      { notifications: [{ ...chat, url: "file:///etc" }] },
      "webhooks.notifications[0].url",
    ],
    [
      "an unknown event",
      { notifications: [{ ...chat, events: ["done"] }] },
      "webhooks.notifications[0].events[0]",
    ],
    ["no event", { notifications: [{ ...chat, events: [] }] }, "webhooks.notifications[0].events"],
    [
      "an unsigned message for programs",
      { notifications: [{ ...chat, format: "plain" }] },
      "webhooks.notifications[0]",
    ],
    [
      "a hundred a second",
      { notifications: [{ ...chat, per_minute: 6000 }] },
      "webhooks.notifications[0].per_minute",
    ],
    ["a host with a path", { hosts: ["a.example/x"] }, "webhooks.hosts[0]"],
    ["a misspelt name", { notification: [] }, "webhooks.notification"],
  ])("[SAP-08] is refused with %s, and says where and what to do", (_what, webhooks, at) => {
    const reading = read(webhooks);
    expect(reading.ok).toBe(false);
    if (!reading.ok) expect(reading.problems).toMatchObject([{ at, fix: expect.stringMatching(/./) }]);
  });
});
