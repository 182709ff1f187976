import { encodeJson, GetAuditCheckpointResponseSchema } from "@baton/contract/forms";
import { keyIdOf } from "@baton/kernel/audit";
import type { Command } from "commander";
import { exportTools } from "../../audit/export-tools.ts";
import { brief } from "../../audit/verdict.ts";
import { writeNew } from "../../audit/write-new.ts";
import { exitCode } from "../../exit-code.ts";
import { withHub } from "../../session.ts";
import { piece } from "../../terminal/paint.ts";
import { renderFacts } from "../../terminal/table.ts";
import { withExamples } from "../options/examples.ts";

export function addKey(audit: Command): void {
  const key = audit
    .command("key")
    .summary("print the hub's public key")
    .description(
      "Prints the public key that the hub signs its record with. Keep it elsewhere to identify this hub.",
    )
    .action((_: object, command: Command) =>
      withHub(command, async (session) => {
        const { key: found } = await session.hub.audit.getAuditCheckpoint({}, { signal: session.signal });
        const publicKey = found?.publicKey ?? new Uint8Array();
        const keyId = keyIdOf(publicKey, exportTools.digest);
        if (session.output === "text") await session.write([keyId]);
        else {
          const base64 = Buffer.from(publicKey).toString("base64");
          await session.writeJson(JSON.stringify({ keyId, publicKey: base64 }));
        }
        return exitCode.ok;
      }),
    );
  withExamples(key, [["baton audit key > hub.key", "keep it on another machine"]]);
}

interface CheckpointOptions {
  readonly out?: string;
}

export function addCheckpoint(audit: Command): void {
  const checkpoint = audit
    .command("checkpoint")
    .summary("sign the current record")
    .description(
      "Has the hub sign the current record. Keep the checkpoint elsewhere to detect later changes.",
    )
    .option("--out <file>", "the file to write; it must not exist")
    .action(({ out }: CheckpointOptions, command: Command) =>
      withHub(command, async (session) => {
        const answer = await session.hub.audit.getAuditCheckpoint({}, { signal: session.signal });
        const json = encodeJson(GetAuditCheckpointResponseSchema, answer);
        if (answer.checkpoint === undefined) {
          session.printNote("the record is empty");
          return exitCode.notFound;
        }
        if (out !== undefined) writeNew(out, `${json}\n`);
        if (session.output !== "text") {
          await session.writeJson(json);
        } else {
          const { sequence, issuedAt, keyId } = brief(answer.checkpoint);
          const facts = [
            ["signed", piece(`up to entry ${sequence}, at ${issuedAt}`)],
            ["root", piece(Buffer.from(answer.checkpoint.rootHash).toString("hex"), "quiet")],
            ["key", piece(keyId)],
            ["file", piece(out ?? "")],
          ] as const;
          await session.write(renderFacts(session.terminal, facts));
        }
        return exitCode.ok;
      }),
    );
  withExamples(checkpoint, [
    ["baton audit checkpoint --out today.json", "keep it on another machine"],
    ["baton audit verify --checkpoint today.json", "later: verifies that nothing before it changed"],
  ]);
}
