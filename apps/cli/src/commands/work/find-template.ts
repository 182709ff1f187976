import type { Template } from "@baton/contract/forms";
import { CliError } from "../../errors/cli-error.ts";
import { listKnownNames } from "../../queries/known-names.ts";
import type { Session } from "../../session.ts";

/** A workflow or template of the hub; a template has a graph too. */
export async function findTemplate({ hub, signal }: Session, name: string): Promise<Template> {
  const { templates } = await hub.inspection.getTemplates({}, { signal });
  const found = templates.find(({ templateId }) => templateId === name);
  if (found) return found;
  const known = templates.map(({ templateId }) => templateId);
  throw new CliError("BATON-CLI-004", `the hub has no workflow "${name}"`, {
    fix: known.length === 0 ? "add a file to workflows/, or give the path of a file" : listKnownNames(known),
  });
}
