import { closeSync, readdirSync, readFileSync } from "node:fs";

/** O_CLOEXEC in the flags of /proc/self/fdinfo. */
const closeOnExec = 0o2000000;

/**
 * Closes the file descriptors, except the three standard streams, that the hub inherited from its parent. Every child
 * process would inherit them too, agents included, and an open folder leads out of any sandbox. Node sets O_CLOEXEC on
 * what it opens itself, but its threads do not: V8 reads /proc/self/maps, and OpenSSL certificates, without it. So this
 * runs before the first thread starts and before node:tls is loaded.
 */
export function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    const fd = Number(name);
    if (fd > 2 && isInherited(fd)) closeSync(fd);
  }
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    return flags !== "" && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // The descriptor of the listing itself.
  }
}
