/** What people are told who decide (A §3.2, §4.3 step 6): which rule asks them, and what each decision leads to. */
export * from "./consequences.ts";
export { isUnchecked, nothingChecked } from "./nothing-checked.ts";
export { askingRules } from "./rules.ts";
