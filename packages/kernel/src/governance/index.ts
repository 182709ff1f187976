/** Alignment of governed tasks (SAP V2 §4.1, §4.2). */
export * from "./constitution.ts";
export * from "./report.ts";
export * from "./run-check.ts";
export * from "./scope.ts";
export * from "./select.ts";
export * from "./subject.ts";
