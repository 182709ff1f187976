import { encodeJson, GetPipelineResponseSchema, type Pipeline } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Session } from "../../session.ts";
import { renderHeading } from "../../views/runs/run-view.ts";

export interface Changed {
  readonly pipeline?: Pipeline | undefined;
}

/** Prints a run after a call that changed it. */
export async function showChanged(session: Session, { pipeline }: Changed): Promise<void> {
  if (session.output !== "text") {
    const response = create(GetPipelineResponseSchema, pipeline === undefined ? {} : { pipeline });
    await session.writeJson(encodeJson(GetPipelineResponseSchema, response));
  } else if (pipeline !== undefined) {
    await session.write([renderHeading(session.terminal, pipeline, Date.now())]);
  }
}
