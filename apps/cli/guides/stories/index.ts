import { configuring } from "./configuring.ts";
import { firstSteps } from "./first-steps.ts";
import { operating } from "./operating.ts";
import { running } from "./running.ts";
import type { Stories } from "./story.ts";
import { writingAgents } from "./writing-agents.ts";

export const stories: Stories = { ...firstSteps, ...configuring, ...running, ...operating, ...writingAgents };
