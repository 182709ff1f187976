import type { DescFile } from "@bufbuild/protobuf";
import type { OutputFile } from "../plugin.ts";
import { messagesOf } from "./plain-messages.ts";
import { readerSource } from "./reader-source.ts";
import { writerSource } from "./writer-source.ts";

/** Straight code has what it needs in sight of the compiler: it takes a fraction of what going through descriptors takes. */
export function plainFiles(files: readonly DescFile[]): readonly OutputFile[] {
  const messages = messagesOf(files);
  return [
    { name: "write-messages.ts", content: writerSource(messages) },
    { name: "read-messages.ts", content: readerSource(messages) },
  ];
}
