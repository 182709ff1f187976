import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dirname, "..");

/** The text of the A2A specification: where BATON_SPECIFICATION says, or beside the repository. */
export const specificationText = process.env.BATON_SPECIFICATION ?? join(repository, "../shared/spec/a2a.md");

/** The messages as the specification prints them, for clones that do not have its text. */
export const committedImage = join(import.meta.dirname, "specification.binpb");

/** Builds the protobuf blocks of the specification, in the order of the text, into one image. */
export function buildSpecification(text: string): Uint8Array {
  const module = mkdtempSync(join(tmpdir(), "baton-specification-"));
  try {
    const folder = join(module, "vasini/agent/v1");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "specification.proto"), protobufBlocks(text).join("\n"));
    writeFileSync(join(module, "buf.yaml"), "version: v2\n");
    cpSync(join(repository, "proto/buf"), join(module, "buf"), { recursive: true });
    const image = join(module, "image.binpb");
    buf(["build", module, "--exclude-source-info", "--output", image]);
    return readFileSync(image);
  } finally {
    rmSync(module, { recursive: true, force: true });
  }
}

function protobufBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```protobuf\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
}

/** Runs buf, and throws what it printed when it finds something. */
export function buf(args: readonly string[], cwd: string = repository): string {
  try {
    return execFileSync(join(repository, "node_modules/.bin/buf"), args, {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`buf ${args[0]} found:\n${stdout}${stderr}`, { cause: error });
  }
}
