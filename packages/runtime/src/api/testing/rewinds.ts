/** A pipeline that is taken back, and the branches of its repository. */
import {
  GetTransitionsRequestSchema,
  PreviewRewindRequestSchema,
  RewindPipelineRequestSchema,
  type RewindPipelineResponse,
  type RewindPreview,
  type TaskEnvelope,
  type Transition,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { ada } from "../../../testing/index.ts";
import { gitIn, write } from "../../workspaces/testing/repositories.ts";
import type { Hub } from "../hub.ts";

/** What the agents do: each stage leaves a file with the number of its attempt. */
export function leavesAFile({ execution, workspace }: TaskEnvelope): object {
  const [, stage = "", attempt = ""] = execution?.dispatchId.split("/") ?? [];
  write(workspace?.path ?? "", { [`${stage}.txt`]: `attempt ${attempt}\n` });
  return {};
}

export async function transitions(hub: Hub, pipelineId: string, stageId = ""): Promise<Transition[]> {
  const request = create(GetTransitionsRequestSchema, { pipelineId, stageId });
  return (await hub.getTransitions(ada, request)).transitions;
}

/** The revision that a stage came to rest with, the last time. */
export async function revisionOf(hub: Hub, pipelineId: string, stageId: string, to: string): Promise<bigint> {
  const found = (await transitions(hub, pipelineId, stageId)).findLast(({ toStatus }) => toStatus === to);
  if (!found) throw new Error(`${stageId} never went to ${to}`);
  return found.revision;
}

export function rewind(
  hub: Hub,
  pipelineId: string,
  toRevision: bigint,
  discard = false,
): Promise<RewindPipelineResponse> {
  const request = { pipelineId, toRevision, reason: "a wrong turn", discard };
  return hub.rewindPipeline(ada, create(RewindPipelineRequestSchema, request));
}

export async function preview(hub: Hub, pipelineId: string, toRevision: bigint): Promise<RewindPreview> {
  const request = create(PreviewRewindRequestSchema, { pipelineId, toRevision });
  const answer = await hub.previewRewind(ada, request);
  if (!answer.preview) throw new Error("an answer has a preview");
  return answer.preview;
}

/** Branches by stage and attempt, with their commits. */
export function heads(
  shop: string,
  pipelineId: string,
  under = `refs/heads/baton/${pipelineId}/`,
): Record<string, string> {
  const listed = gitIn(shop, "for-each-ref", "--format=%(refname) %(objectname)", under);
  return Object.fromEntries(
    listed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.slice(under.length).split(" ") as [string, string]),
  );
}
