import { type Command, Option } from "commander";

export interface RunOption {
  readonly run?: string;
  /** The older name of the same option. */
  readonly pipeline?: string;
}

/** Adds `--run ID`, and its older name `--pipeline ID` for existing scripts. */
export function addRunOption(command: Command, description: string): Command {
  const older = new Option("--pipeline <id>", "the older name of --run").hideHelp().conflicts("run");
  return command.option("--run <id>", description).addOption(older);
}

export function runOf({ run, pipeline }: RunOption): string | undefined {
  return run ?? pipeline;
}
