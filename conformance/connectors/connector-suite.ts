/** What every connector has to do: the same envelopes, the same results, the same failures, whatever the wire. */
import { describe } from "vitest";
import { answerCases } from "./answer-cases.ts";
import type { Connector } from "./connector.ts";
import { failureCases } from "./failure-cases.ts";
import { stepCases } from "./step-cases.ts";
import { timeCases } from "./time-cases.ts";

export type { Attempt, Behaviour, ConnectedAgent, Connector } from "./connector.ts";

export function connectorSuite(connector: Connector): void {
  describe(connector.name, () => {
    answerCases(connector);
    failureCases(connector);
    timeCases(connector);
    stepCases(connector);
  });
}
