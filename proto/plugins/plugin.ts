/**
 * What the plugins have in common: buf hands the compiled contract in, and gets files back.
 *
 * The framework's own plugin class is for files that stand beside each proto file; these reach across all of them.
 */
import { create, createFileRegistry, type DescFile } from "@bufbuild/protobuf";
import {
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { runNodeJs } from "@bufbuild/protoplugin";

export interface OutputFile {
  /** Relative to the plugin's `out` in buf.gen.yaml. */
  readonly name: string;
  readonly content: string;
}

/** Runs a plugin on standard input and output. The files come sorted, so that the output depends on nothing else. */
export function runPlugin(name: string, write: (files: readonly DescFile[]) => readonly OutputFile[]): void {
  runNodeJs({
    name,
    version: "1",
    run(request) {
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: request.protoFile }));
      const files = request.fileToGenerate
        .toSorted()
        .map((path) => registry.getFile(path))
        .filter((file) => file !== undefined);
      return create(CodeGeneratorResponseSchema, {
        supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
        file: write(files).map(({ name, content }) => ({ name, content })),
      });
    },
  });
}
