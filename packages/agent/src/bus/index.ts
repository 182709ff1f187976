/** Governed tasks for programs that submit them (SAP V2): a bus within the program, over any endpoint. */
export type {
  Ack,
  Nack,
  NumberedResult,
  Result,
  Task,
  TaskEndpoint,
  Transcript,
} from "@baton/protocols/sap";
export { hasOutcome, isNack } from "@baton/protocols/sap";
export { type HttpTasksOptions, httpTasks } from "./http-tasks.ts";
export { type ResultListener, TaskBus, type TaskBusOptions } from "./task-bus.ts";
