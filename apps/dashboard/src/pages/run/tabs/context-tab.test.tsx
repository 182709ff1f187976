import {
  ContextLevel,
  GetAttemptResponseSchema,
  PipelineSchema,
  StageSchema,
} from "@baton/contract/messages";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ContextTab } from "./context-tab.tsx";

function shown(omittedContext: string[]): string {
  const attempt = create(GetAttemptResponseSchema, {
    envelope: { contextIn: { sharedContext: "The shop sells books." } },
    dispatch: { omittedContext, contextLevelApplied: ContextLevel.LAYERED },
  });
  const [pipeline, stage] = [create(PipelineSchema), create(StageSchema)];
  return renderToStaticMarkup(
    <ContextTab pipeline={pipeline} stage={stage} summary={undefined} attempt={attempt} />,
  );
}

describe("the context of an attempt", () => {
  it("[DIS-10] is shown with what was left out", () => {
    const page = shown(["the snippet of slug.js, 40 kB"]);
    expect(page).toContain("The shop sells books.");
    expect(page).toMatch(/Left out of the context.*the snippet of slug\.js, 40 kB/);
  });

  it("says nothing of that where nothing was", () => {
    expect(shown([])).not.toContain("Left out");
  });
});
