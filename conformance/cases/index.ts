import { agentServiceCases } from "./agent-service.ts";
import { attachCases } from "./attach.ts";
import { auditCases } from "./audit.ts";
import { auditServiceCases } from "./audit-service.ts";
import { beyondJsonCases } from "./beyond-json.ts";
import type { Case } from "./case.ts";
import { errorCases } from "./error.ts";
import { escalationCases } from "./escalation.ts";
import { eventCases } from "./event.ts";
import { forwardCases } from "./forward.ts";
import { inspectionCases } from "./inspection.ts";
import { limitCases } from "./limits.ts";
import { numberCases } from "./numbers.ts";
import { orchestratorCases } from "./orchestrator.ts";
import { pipelineCases } from "./pipeline.ts";
import { registryCases } from "./registry.ts";
import { resultCases } from "./result.ts";
import { rewindCases } from "./rewind.ts";
import { steeringStagesCases } from "./steering-stages.ts";
import { structCases } from "./structs.ts";
import { submitCases } from "./submit.ts";
import { taskCases } from "./task.ts";
import { tenantCases } from "./tenant.ts";
import { textCases } from "./text.ts";
import { turnCases } from "./turn.ts";
import { watchCases } from "./watch.ts";

export const allCases: readonly Case[] = [
  ...agentServiceCases,
  ...attachCases,
  ...auditCases,
  ...auditServiceCases,
  ...beyondJsonCases,
  ...errorCases,
  ...escalationCases,
  ...eventCases,
  ...forwardCases,
  ...inspectionCases,
  ...limitCases,
  ...numberCases,
  ...orchestratorCases,
  ...pipelineCases,
  ...registryCases,
  ...resultCases,
  ...rewindCases,
  ...steeringStagesCases,
  ...structCases,
  ...submitCases,
  ...taskCases,
  ...tenantCases,
  ...textCases,
  ...turnCases,
  ...watchCases,
];
