/**
 * Runs a function whose errors carry no stack. The library makes an error of every value that is missing, in a macro
 * one for each element, and nine tenths of the time goes into the stacks that nobody reads. Other engines than V8 do
 * not know the setting and do not mind it.
 */
export function withoutStacks<Result>(run: () => Result): Result {
  const errors = Error as unknown as { stackTraceLimit?: number };
  const limit = errors.stackTraceLimit;
  errors.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    if (limit === undefined) delete errors.stackTraceLimit;
    else errors.stackTraceLimit = limit;
  }
}
