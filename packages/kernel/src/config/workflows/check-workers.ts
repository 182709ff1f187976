import type { AgentManifest } from "@baton/contract";
import type { RoutingPolicy } from "../../dispatch/routing-policy.ts";
import { didYouMean } from "../../names.ts";
import { taskTypeOf } from "./compile-workflows.ts";
import type { FileProblem } from "./nesting.ts";
import type { FileNode, WorkflowFile } from "./workflow-file.ts";

interface Workers {
  readonly policy: RoutingPolicy | undefined;
  readonly packs: readonly AgentManifest[];
  /** Ids of packs whose files are invalid. */
  readonly unread: readonly string[];
}

/** Nodes that nobody could do with these files. Only warnings: agents may register packs themselves. */
export function checkWorkers(file: WorkflowFile, workers: Workers): readonly FileProblem[] {
  return file.nodes.flatMap((node, position) =>
    node.workflow === undefined ? checkNode(node, `workflow.nodes[${position}]`, workers) : [],
  );
}

function checkNode(node: FileNode, at: string, { policy, packs, unread }: Workers): readonly FileProblem[] {
  const { pack } = node;
  const versions = packs.filter(({ packId }) => packId === pack);
  const taskType = taskTypeOf(node, versions);
  const isKnown = pack === undefined || versions.length > 0 || unread.includes(pack);
  const types = versions.flatMap(({ supportedTaskTypes }) => supportedTaskTypes);
  const doesIt = taskType === undefined || types.length === 0 || types.includes(taskType);
  const packIds = packs.map(({ packId }) => packId);
  return [
    ...(isKnown ? [] : [unknownPack(`${at}.pack`, pack, packIds)]),
    ...(doesIt ? [] : [otherType(`${at}.task_type`, pack ?? "", taskType, types)]),
    ...(policy && taskType !== undefined ? checkRoute(policy, taskType, pack, at, node) : []),
  ];
}

const code = "BATON-CONFIG-003";

function unknownPack(at: string, pack: string, known: readonly string[]): FileProblem {
  const fix = `${didYouMean(pack, known)}add packs/${pack}/profession-pack.yaml, or let its agent register itself`;
  return { code, at, message: `no file defines pack "${pack}"`, fix };
}

function otherType(at: string, pack: string, type: string, types: readonly string[]): FileProblem {
  const message = `pack "${pack}" does not do "${type}", but ${types.join(", ")}`;
  return { code, at, message, fix: `${didYouMean(type, types)}use one of these, or another pack` };
}

function checkRoute(
  { routes, defaults }: RoutingPolicy,
  taskType: string,
  pack: string | undefined,
  at: string,
  node: FileNode,
): readonly FileProblem[] {
  const route = routes.get(taskType);
  if (!route) {
    if (routes.has("")) return []; // A route that could not be read.
    const known = [...routes.keys()];
    const fix = `${didYouMean(taskType, known)}add a route for it, or use one of: ${known.toSorted().join(", ")}`;
    const message = `the routing policy has no route for "${taskType}", so a person is asked`;
    return [{ code, at: `${at}.${node.taskType === undefined ? "pack" : "task_type"}`, message, fix }];
  }
  const { allowedPackIds, fallbackPackId = defaults.fallbackPackId } = route;
  if (pack === undefined || allowedPackIds.includes(pack) || fallbackPackId === pack) return [];
  const message = `the route for "${taskType}" does not allow pack "${pack}", so nobody may do it`;
  const fix = `add "${pack}" to the allowed_pack_ids of the route; it allows: ${allowedPackIds.join(", ")}`;
  return [{ code, at: `${at}.pack`, message, fix }];
}
