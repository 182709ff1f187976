import { join } from "node:path";

/** A file or folder of a project. One that somebody has named must be there; one at its usual place may be. */
export interface Place {
  readonly path: string;
  readonly isNamed: boolean;
}

/** Where the files are that people configure a hub with (A §3.1, §4.4, §5.3). */
export interface ProjectPlaces {
  readonly routingPolicy: Place;
  readonly pipelineTemplates: Place;
  readonly redactionPolicy: Place;
  /** The folder of all packs, each in one of its own. */
  readonly packs: Place;
}

export const packFile = "profession-pack.yaml";

/** As the specification has them, below the folder of the project. */
export function defaultPaths(folder: string): ProjectPlaces {
  const at = (...names: readonly string[]): Place => ({ path: join(folder, ...names), isNamed: false });
  return {
    routingPolicy: at("config", "routing-policy.yaml"),
    pipelineTemplates: at("config", "pipeline-templates.yaml"),
    redactionPolicy: at("config", "redaction-policy.yaml"),
    packs: at("packs"),
  };
}
