import { createRegistry, type DescFile } from "@bufbuild/protobuf";
import * as messages from "../messages.ts";

/** The files of the contract, for reflection and for tools that walk over every message. */
export const contractFiles: readonly DescFile[] = Object.values(messages)
  .filter((value): value is DescFile => typeof value === "object" && "kind" in value && value.kind === "file")
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Every message, enum and service of the contract by its full name. */
export const contractRegistry = createRegistry(...contractFiles);
