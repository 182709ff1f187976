import type { CommandTool } from "@baton/kernel";
import { CannotStart, type CommandRun, runEnclosed } from "@baton/runtime/guarded";
import { limits } from "../limits.ts";
import type { ToolSurroundings } from "./surroundings.ts";
import type { ModelTool, ToolOutput } from "./tool.ts";

/** A program in the sandbox. It receives the arguments as JSON on standard input. */
export function commandTool(source: CommandTool, { sandbox: find, folder }: ToolSurroundings): ModelTool {
  const { name, description, inputSchema, idempotent, critical, ask, run, network, timeoutMs } = source;
  const bounds = { timeoutMs, outputBytes: limits.toolTextLength, printedBytes: limits.toolOutputBytes };
  return {
    ...{ name, description, inputSchema, idempotent, critical, ...(ask !== undefined && { ask }) },
    async call(args, { signal }) {
      const sandbox = await find();
      if (sandbox.kind === "none") throw new Error(`no sandbox works here: ${sandbox.reason}`);
      const command = { run, folder, placeholder: "{pack}", network };
      try {
        const input = JSON.stringify(args);
        return outputOf(await runEnclosed(sandbox, command, { input, limits: bounds, signal }), timeoutMs);
      } catch (error) {
        throw error instanceof CannotStart ? new Error(`"${name}" ${error.message}`) : error;
      }
    },
  };
}

function outputOf({ output, exitCode, timedOut, flooded }: CommandRun, timeoutMs: number): ToolOutput {
  // Of binary output the model learns nothing.
  const text = output.includes("\0") ? `[binary output of about ${output.length} characters]` : output;
  const end = timedOut
    ? `ended after ${timeoutMs} ms`
    : flooded
      ? `ended because it printed more than ${limits.toolOutputBytes} bytes`
      : exitCode === undefined
        ? "ended by a signal"
        : `exit code ${exitCode}`;
  if (exitCode === 0 && !timedOut && !flooded) return { text };
  return { text: [end, text].filter((part) => part !== "").join("\n"), isError: true };
}
