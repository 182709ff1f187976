/** The kinds of lines that builds, servers and agents write; `#` stands for a number, `%` for a digest. */
const lines = [
  "2026-03-0#T1#:2#:3#.#4#Z INFO  [dispatch] task 7f9c2ba4-e88f-427d-a2fe-6# accepted by senior-ts-dev in #2 ms",
  "2026-03-0#T1#:2#:3#.#4#Z DEBUG GET https://registry.example.org/@scope%2fname/-/name-1.#.#.tgz 200 #31 ms",
  " ✓ packages/kernel/src/dispatch/rank.test.ts (#2 tests) #4ms",
  "commit %\nAuthor: Build Agent <build@agents.internal>\nDate:   Mon Mar # 1#:2#:3# 2026 +0200",
  '{"level":30,"time":17#1,"pid":4#,"msg":"lease renewed","agent":"qa-#","tokens":{"input":#12,"output":#3}}',
  "  at Object.dispatch (/app/packages/runtime/src/driver.ts:#2:1#)",
  "Step #/1# : RUN npm ci --ignore-scripts && npm run build",
  " ---> Using cache sha256:%%",
  "warning: unused variable `attempt` in src/pipeline/rewind.rs:#1:9",
  "export async function readToken(source: Source): Promise<Token> { return parse(await source.next()); }",
  "kernel: [#1234.#5] eth0: link up, 10.0.#.1# -> 192.168.#.2#, mtu 1500",
  "The reviewer rejected stage 4: two tests fail, and the lock file does not match package.json (see run #8).",
];

/** Ordinary text of logs, the same at every run. */
export function logText(characters: number): string {
  let seed = 42;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed;
  };
  const written: string[] = [];
  for (let length = 0; length < characters; ) {
    const template = lines[next() % lines.length] as string;
    const line = template
      .replaceAll("#", () => String((next() >>> 8) % 1000))
      .replaceAll("%", () => Array.from({ length: 5 }, () => next().toString(16).padStart(8, "0")).join(""));
    written.push(line);
    length += line.length + 1;
  }
  return written.join("\n").slice(0, characters);
}
