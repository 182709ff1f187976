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

function render(omittedContext: string[]): string {
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
  it("[DIS-10] lists what was omitted", () => {
    const page = render(["the snippet of slug.js, 40 kB"]);
    expect(page).toContain("The shop sells books.");
    expect(page).toMatch(/Omitted context.*the snippet of slug\.js, 40 kB/);
  });

  it("has no list when nothing was omitted", () => {
    expect(render([])).not.toContain("Omitted");
  });
});
