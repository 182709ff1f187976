/** The kill switch of a tenant: calls of OrchestratorService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, valid } from "../case.ts";

const longest = 2_048;
const working: JsonObject = { tenantId: "acme" };
const stopped: JsonObject = {
  tenantId: "acme",
  stopped: true,
  reason: "An agent deletes things",
  stoppedBy: "ada",
  stoppedAt: "2026-07-01T12:00:00Z",
};

/** Stop and start have the same form. */
const switchCases: readonly Case[] = ["Stop", "Start"].flatMap((verb) => {
  const name = verb.toLowerCase();
  const request = `${verb}TenantRequest`;
  const response = `${verb}TenantResponse`;
  return [
    valid(`${name}-tenant-request`, request, `Why to ${name} the tenant.`, {
      reason: "An agent deletes things",
    }),
    valid(`${name}-tenant-request-longest`, request, "The longest reason.", { reason: "x".repeat(longest) }),
    valid(`${name}-tenant-response`, response, "The tenant.", {
      tenant: verb === "Stop" ? stopped : working,
    }),
    valid(`${name}-tenant-response-empty`, response, "No tenant.", {}),
    valid(`${name}-tenant-response-hollow`, response, "A tenant without fields.", { tenant: {} }),
    ...breaks(request, { reason: "why" }, [
      ["reason", "", "string.min_len", `To ${name} a tenant needs a reason.`],
      ["reason", "x".repeat(longest + 1), "string.max_len", "A reason that is too long."],
    ]),
  ];
});

export const tenantCases: readonly Case[] = [
  ...switchCases,
  valid("get-tenant-request", "GetTenantRequest", "Asks about the caller's tenant.", {}),
  valid("get-tenant-response", "GetTenantResponse", "A tenant that is stopped.", { tenant: stopped }),
  valid("get-tenant-response-epoch", "GetTenantResponse", "Stopped at an instant with nothing in it.", {
    tenant: { stopped: true, stoppedAt: "1970-01-01T00:00:00Z" },
  }),
  valid("get-tenant-response-empty", "GetTenantResponse", "No tenant.", {}),
  valid("get-tenant-response-hollow", "GetTenantResponse", "A tenant without fields.", {
    tenant: {},
  }),
];
