import { reportBounds } from "../measure.ts";
import { benchAudit } from "./audit.ts";
import { benchConditions } from "./conditions.ts";
import { benchFleet } from "./fleet.ts";
import { benchFleetIndex } from "./fleet-index.ts";
import { benchPipeline } from "./pipeline.ts";
import { benchRedaction } from "./redaction.ts";

/** What the kernel's decisions cost, and how the cost grows. */
for (const part of [
  benchFleet,
  benchFleetIndex,
  benchPipeline,
  benchRedaction,
  benchConditions,
  benchAudit,
]) {
  part();
  console.log();
}
reportBounds();
