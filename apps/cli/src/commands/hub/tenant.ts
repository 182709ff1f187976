import { encodeJson, type Tenant, TenantSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import { withExamples } from "../options/examples.ts";

/** The kill switch: stops or starts all work of a tenant. */
export function addTenant(program: Command): void {
  const tenant = program.command("tenant").description("Stops and starts all work of your tenant.");
  withExamples(tenant, [
    ['baton tenant stop --reason "an agent deletes things"', "stops all work at once"],
    ['baton tenant start --reason "the agent is gone"', "starts work again"],
  ]);
  addSwitch(
    tenant,
    "stop",
    "stop all work",
    "Stops all work: nothing is dispatched, running attempts are cancelled, and runs pause with the reason. Stays in force until `start`, also across restarts of the hub.",
    async ({ hub, signal }, request) => (await hub.orchestrator.stopTenant(request, { signal })).tenant,
  );
  addSwitch(
    tenant,
    "start",
    "start all work again",
    "Starts work again and resumes the runs that `stop` paused.",
    async ({ hub, signal }, request) => (await hub.orchestrator.startTenant(request, { signal })).tenant,
  );
  const showing = tenant
    .command("show")
    .summary("show the state of the tenant")
    .description("Shows whether the tenant is stopped, by whom and why.")
    .action((_: unknown, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal } = session;
        await show(session, (await hub.orchestrator.getTenant({}, { signal })).tenant);
        return exitCode.ok;
      }),
    );
  withExamples(showing, [
    ["baton tenant show", "shows whether it is stopped"],
    ["baton tenant show --output json", "the same for a program"],
  ]);
}

function addSwitch(
  tenant: Command,
  name: string,
  summary: string,
  description: string,
  call: (session: Session, request: { readonly reason: string }) => Promise<Tenant | undefined>,
): void {
  const command = tenant
    .command(name)
    .summary(summary)
    .description(description)
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action(({ reason }: { readonly reason: string }, at: Command) =>
      withHub(at, async (session) => {
        await show(session, await call(session, { reason }));
        return exitCode.ok;
      }),
    );
  withExamples(command, [[`baton tenant ${name} --reason "..."`, summary]]);
}

async function show(session: Session, tenant: Tenant = create(TenantSchema)): Promise<void> {
  if (session.output !== "text") return session.writeJson(encodeJson(TenantSchema, tenant));
  const { tenantId, stopped, stoppedBy, stoppedAt, reason } = tenant;
  const since = stoppedAt ? ` since ${timestampDate(stoppedAt).toISOString()}` : "";
  await session.write([
    stopped ? `${tenantId} is stopped${since} by ${stoppedBy}: ${reason}` : `${tenantId} is running`,
  ]);
}
