import type { Case } from "./case.ts";
import { beyondJsonCases } from "./encoding/beyond-json.ts";
import { forwardCases } from "./encoding/forward.ts";
import { limitCases } from "./encoding/limits.ts";
import { numberCases } from "./encoding/numbers.ts";
import { structCases } from "./encoding/structs.ts";
import { textCases } from "./encoding/text.ts";
import { auditCases } from "./messages/audit.ts";
import { errorCases } from "./messages/error.ts";
import { eventCases } from "./messages/event.ts";
import { governanceCases } from "./messages/governance.ts";
import { pipelineCases } from "./messages/pipeline.ts";
import { resultCases } from "./messages/result.ts";
import { stepCases } from "./messages/step.ts";
import { taskCases } from "./messages/task.ts";
import { turnCases } from "./messages/turn.ts";
import { agentServiceCases } from "./services/agent-service.ts";
import { attachCases } from "./services/attach.ts";
import { auditServiceCases } from "./services/audit-service.ts";
import { constitutionCases } from "./services/constitution.ts";
import { escalationCases } from "./services/escalation.ts";
import { inspectionCases } from "./services/inspection.ts";
import { knowledgeCases } from "./services/knowledge.ts";
import { learningCases } from "./services/learning.ts";
import { orchestratorCases } from "./services/orchestrator.ts";
import { registryCases } from "./services/registry.ts";
import { rewindCases } from "./services/rewind.ts";
import { spendCases } from "./services/spend.ts";
import { steeringStagesCases } from "./services/steering-stages.ts";
import { submitCases } from "./services/submit.ts";
import { tenantCases } from "./services/tenant.ts";
import { toolCases } from "./services/tools.ts";
import { watchCases } from "./services/watch.ts";

export const allCases: readonly Case[] = [
  ...agentServiceCases,
  ...attachCases,
  ...auditCases,
  ...auditServiceCases,
  ...beyondJsonCases,
  ...constitutionCases,
  ...errorCases,
  ...escalationCases,
  ...eventCases,
  ...forwardCases,
  ...governanceCases,
  ...inspectionCases,
  ...knowledgeCases,
  ...learningCases,
  ...limitCases,
  ...numberCases,
  ...orchestratorCases,
  ...pipelineCases,
  ...registryCases,
  ...resultCases,
  ...rewindCases,
  ...steeringStagesCases,
  ...stepCases,
  ...structCases,
  ...submitCases,
  ...taskCases,
  ...spendCases,
  ...tenantCases,
  ...textCases,
  ...toolCases,
  ...turnCases,
  ...watchCases,
];
