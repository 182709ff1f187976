import { createRegistry, type DescFile, type Registry, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** The descriptors of the server's services, by file name, symbol and extension. */
export class DescribedFiles {
  readonly #byName = new Map<string, DescFile>();
  readonly #registry: Registry;

  constructor(files: readonly DescFile[]) {
    for (const file of files) this.#add(file);
    this.#registry = createRegistry(...this.#byName.values());
  }

  byName(name: string): DescFile | undefined {
    return this.#byName.get(name);
  }

  /** The file that declares a service, message, enum or extension, or a member of one. */
  bySymbol(name: string): DescFile | undefined {
    const found = this.#registry.get(name);
    if (found !== undefined) return found.file;
    const dot = name.lastIndexOf(".");
    const outer = dot < 0 ? undefined : this.#registry.get(name.slice(0, dot));
    return outer && hasMember(outer, name.slice(dot + 1)) ? outer.file : undefined;
  }

  byExtension(typeName: string, number: number): DescFile | undefined {
    const extended = this.#registry.getMessage(typeName);
    return extended && this.#registry.getExtensionFor(extended, number)?.file;
  }

  /** Undefined for an unknown message. */
  extensionNumbers(typeName: string): readonly number[] | undefined {
    if (this.#registry.getMessage(typeName) === undefined) return undefined;
    return [...this.#registry].flatMap((desc) =>
      desc.kind === "extension" && desc.extendee.typeName === typeName ? [desc.number] : [],
    );
  }

  #add(file: DescFile): void {
    if (this.#byName.has(file.proto.name)) return;
    this.#byName.set(file.proto.name, file);
    for (const imported of file.dependencies) this.#add(imported);
  }
}

/** A file and all of its imports, each once, serialised. */
export function serialise(file: DescFile): Uint8Array[] {
  const files = new Set<DescFile>();
  const add = (each: DescFile) => {
    if (files.has(each)) return;
    files.add(each);
    each.dependencies.forEach(add);
  };
  add(file);
  return [...files].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}

type Desc = NonNullable<ReturnType<Registry["get"]>>;

function hasMember(desc: Desc, name: string): boolean {
  if (desc.kind === "service") return desc.methods.some((method) => method.name === name);
  if (desc.kind === "message") return [...desc.fields, ...desc.oneofs].some((member) => member.name === name);
  return desc.kind === "enum" && desc.values.some((value) => value.name === name);
}
