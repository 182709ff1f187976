/** Reads what `buf build` writes: a descriptor set, to which buf adds remarks of its own. */
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** The proto files that two images describe differently, or that only one of them holds. */
export function findChangedFiles(before: Uint8Array, after: Uint8Array): string[] {
  const [old, current] = [readFiles(before), readFiles(after)];
  const names = new Set([...old.keys(), ...current.keys()]);
  return [...names].filter((name) => old.get(name) !== current.get(name)).sort();
}

/** By name, what each file describes, in a form that is equal when the files are. */
function readFiles(image: Uint8Array): Map<string, string> {
  const files = new Map<string, string>();
  for (const file of fromBinary(FileDescriptorSetSchema, image).file) {
    // The well-known types are the compiler's: another release of buf may bring newer ones.
    if (file.name.startsWith("google/protobuf/")) continue;
    // Buf's remarks are fields unknown to the file itself; the options of our fields lie deeper and stay.
    delete file.$unknown;
    files.set(file.name, Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64"));
  }
  return files;
}
