import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Artifact, ArtifactAction, ArtifactSchema, type Contract } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import type { ArtifactActionName } from "../api/task.ts";
import { limits } from "../limits.ts";

const actions: Record<ArtifactActionName, ArtifactAction> = {
  created: ArtifactAction.CREATED,
  modified: ArtifactAction.MODIFIED,
  deleted: ArtifactAction.DELETED,
};

/** The files an attempt touched, by path (A §2.13). */
export class Artifacts {
  readonly #workspace: string | undefined;
  readonly #contract: Contract;
  readonly #byPath = new Map<string, Artifact>();

  constructor(workspace: string | undefined, contract: Contract) {
    this.#workspace = workspace;
    this.#contract = contract;
  }

  get all(): readonly Artifact[] {
    return [...this.#byPath.values()];
  }

  async add(path: string, action: ArtifactActionName | undefined): Promise<Artifact> {
    const root = await realpath(this.#workspace ?? process.cwd());
    const file = await realFile(resolve(root, path));
    const inside = relative(root, file);
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      throw new AgentError("BATON-SDK-012", `${path} is outside the workspace`, { at: path });
    }
    const name = inside.replaceAll(sep, "/");
    const digest = await digestOf(file, path);
    const artifact = create(ArtifactSchema, {
      path: name,
      action: this.#action(name, action, digest),
      digest,
    });
    if (!this.#byPath.has(name) && this.#byPath.size >= limits.artifacts) {
      throw new AgentError("BATON-SDK-019", `a result may have ${limits.artifacts} artifacts`, {
        at: path,
      });
    }
    this.#byPath.set(name, artifact);
    return artifact;
  }

  /** A missing file was deleted, one that the contract expects to be created was created, any other was modified. */
  #action(path: string, stated: ArtifactActionName | undefined, digest: string): ArtifactAction {
    if (digest === "") {
      if (stated === undefined || stated === "deleted") return ArtifactAction.DELETED;
      throw new AgentError("BATON-SDK-012", `file ${path} does not exist`, { at: path });
    }
    if (stated) return actions[stated];
    const isNew = this.#contract.expectedFiles?.create.includes(path) ?? false;
    return isNew ? ArtifactAction.CREATED : ArtifactAction.MODIFIED;
  }
}

/** Resolves links in the folders, so that none leads out of the workspace; the file itself may be missing. */
async function realFile(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const folder = await realpath(dirname(file)).catch(() => dirname(file));
    return join(folder, basename(file));
  }
}

/** Empty when there is no file. */
async function digestOf(file: string, path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(file), hash);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return "";
    throw new AgentError("BATON-SDK-012", `${path} cannot be read`, { at: path, cause });
  }
  return `sha256:${hash.digest("hex")}`;
}
