/**
 * An npm registry on loopback that holds the packages of a lock file, each with a package.json and nothing else.
 * Which of them it knows is up to the test: registries differ in which platforms they carry.
 */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

export interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export interface Registry {
  readonly address: string;
  /** What was asked for and not there. */
  readonly missed: Set<string>;
}

/** The name of a package that is installed at this path of a lock file; undefined for our own packages. */
export function packageName(path: string): string | undefined {
  const start = path.lastIndexOf("node_modules/");
  return start === -1 ? undefined : path.slice(start + "node_modules/".length);
}

export function isForThisMachine({ os, cpu, libc }: LockEntry): boolean {
  return (
    (os?.includes(process.platform) ?? true) &&
    (cpu?.includes(process.arch) ?? true) &&
    (libc?.includes("glibc") ?? true)
  );
}

/** The same lock file with the digests of this registry's packages, and without install scripts. */
export function relock(lock: LockFile): LockFile {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const name = packageName(path);
    if (name === undefined || entry.link) return [path, entry];
    const { hasInstallScript: _, ...kept } = entry;
    return [path, { ...kept, integrity: integrityOf(tarballOf(name, entry)) }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

export async function startRegistry(
  lock: LockFile,
  knows: (name: string, entry: LockEntry) => boolean,
): Promise<Registry> {
  const missed = new Set<string>();
  const versions = new Map<string, Map<string, LockEntry>>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = packageName(path);
    if (name === undefined || entry.link || entry.version === undefined || !knows(name, entry)) continue;
    versions.set(name, (versions.get(name) ?? new Map()).set(entry.version, entry));
  }
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1);
    if (path.startsWith("-/ping")) return void response.end("{}");
    const [name = "", version] = path.split("/-/");
    const known = versions.get(name);
    const entry = known?.get(version ?? "");
    if (entry !== undefined) return void response.end(tarballOf(name, entry));
    if (known !== undefined && version === undefined) {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify(packument(name, known, address())));
    }
    missed.add(name);
    response.statusCode = 404;
    response.end("{}");
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: address(), missed };
}

function packument(name: string, versions: ReadonlyMap<string, LockEntry>, address: string): object {
  const manifests = [...versions].map(([version, entry]) => {
    const tarball = `${address}/${name}/-/${version}`;
    return [
      version,
      { ...manifest(name, entry), dist: { tarball, integrity: integrityOf(tarballOf(name, entry)) } },
    ];
  });
  const latest = [...versions.keys()].at(-1);
  return { name, "dist-tags": { latest }, versions: Object.fromEntries(manifests) };
}

function manifest(name: string, entry: LockEntry): object {
  const { version, os, cpu, libc, dependencies, optionalDependencies } = entry;
  return { name, version, os, cpu, libc, dependencies, optionalDependencies };
}

/** A tar archive with one file, package/package.json. */
function tarballOf(name: string, entry: LockEntry): Buffer {
  const content = Buffer.from(JSON.stringify(manifest(name, entry)));
  const header = Buffer.alloc(512);
  const field = (text: string, at: number) => header.write(text, at, "latin1");
  field("package/package.json", 0);
  field("0000644\0", 100);
  field("0000000\0", 108);
  field("0000000\0", 116);
  field(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  field("00000000000\0", 136);
  field("        0", 148);
  field("ustar\0", 257);
  field("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  field(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return gzipSync(Buffer.concat([header, content, padding, Buffer.alloc(1024)]));
}

function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
}
