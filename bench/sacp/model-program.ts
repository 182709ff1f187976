/** A local model in a process of its own, so that what it costs is nobody's. Its pieces come at the pace of the argument. */
import { startModelServer } from "@baton/models/testing";
import { answerPieces } from "./model-answer.ts";

const pieceDelayMs = Number(process.argv[2] ?? 0);
const server = await startModelServer(() => ({
  text: answerPieces,
  usage: { input: 500, output: 100 },
  ...(pieceDelayMs > 0 && { stream: { pieceDelayMs } }),
}));
process.send?.({ baseUrl: server.baseUrl });
process.once("disconnect", () => process.exit());
