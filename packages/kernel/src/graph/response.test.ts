import { ResponseStatus, type StructuredResponse, StructuredResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { routeResponse } from "./response.ts";
import { nodeOutput } from "./scope.ts";

function response(status: ResponseStatus, message = "", nextStepHint = ""): StructuredResponse {
  return create(StructuredResponseSchema, { status, message, nextStepHint, thought: "hm" });
}

describe("routeResponse", () => {
  it("[SAC-07] goes on after success", () => {
    expect(routeResponse(response(ResponseStatus.SUCCESS, "done"))).toEqual({ kind: "proceed" });
  });

  it("[SAC-07] fails with the agent's reason, or says that there is none", () => {
    const fallback = "The LLM returned an invalid response format.";
    expect(routeResponse(response(ResponseStatus.FAILURE, fallback))).toEqual({
      kind: "fail",
      reason: fallback,
    });
    expect(routeResponse(response(ResponseStatus.FAILURE))).toMatchObject({
      reason: "the agent reported failure and did not say why",
    });
  });

  it("[SAC-07] asks the user what the agent wants to know", () => {
    const asked = routeResponse(response(ResponseStatus.CLARIFICATION_NEEDED, "Which of the two?"));
    expect(asked).toEqual({ kind: "ask", question: "Which of the two?" });
    expect(routeResponse(response(ResponseStatus.CLARIFICATION_NEEDED, "", "ask for a name"))).toMatchObject({
      question: "ask for a name",
    });
  });

  it("[SAC-01] ends the workflow where it is completed", () => {
    expect(routeResponse(response(ResponseStatus.COMPLETED))).toEqual({ kind: "end" });
  });

  it("[SAC-11] goes back with an instruction", () => {
    const back = routeResponse(response(ResponseStatus.RETRY_WITH_INSTRUCTION, "use metric units"));
    expect(back).toEqual({ kind: "back", instruction: "use metric units" });
  });

  it("[SAC-07] takes a status that nobody knows for failure", () => {
    expect(routeResponse(response(ResponseStatus.UNSPECIFIED)).kind).toBe("fail");
    expect(routeResponse(response(99 as ResponseStatus, "fine")).kind).toBe("fail");
    expect(nodeOutput(response(99 as ResponseStatus)).status).toBe("failure");
  });

  it("[SAC-01] shows conditions every status by its name, and no thought", () => {
    const names = [1, 2, 3, 4, 5].map((status) => nodeOutput(response(status)).status);
    expect(names).toEqual([
      "success",
      "failure",
      "clarification_needed",
      "completed",
      "retry_with_instruction",
    ]);
    expect(nodeOutput(response(1, "m", "h"))).toEqual({
      status: "success",
      data: {},
      message: "m",
      nextStepHint: "h",
    });
  });
});
