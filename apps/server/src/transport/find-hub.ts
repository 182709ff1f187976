import { connect } from "node:http2";
import { Health } from "../../gen/grpc/health/v1/health_pb.js";
import type { Address } from "./listen.ts";

/** A program that does not answer is no hub that could be used. */
const patienceMs = 1_000;

/** Whether what listens at an address answers as a hub does: by its readiness over HTTP, by its health over gRPC. */
export function isHub({ host, port }: Address, what: string): Promise<boolean> {
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return (what === "HTTP" ? asksReadiness(origin) : asksHealth(origin)).catch(() => false);
}

async function asksReadiness(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, {
    redirect: "error",
    signal: AbortSignal.timeout(patienceMs),
  });
  const { status } = (await answer.json()) as { readonly status?: unknown };
  return status === "ready" || status === "not ready";
}

/** Other servers of gRPC take no JSON. */
function asksHealth(origin: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const session = connect(origin);
    const end = (error?: Error) => {
      session.destroy();
      if (error) reject(error);
    };
    session.on("error", end);
    session.setTimeout(patienceMs, () => end(new Error("no answer")));
    const stream = session.request({
      ":method": "POST",
      ":path": `/${Health.typeName}/Check`,
      "content-type": "application/json",
    });
    let text = "";
    stream.on("error", end).setTimeout(patienceMs, () => end(new Error("no answer")));
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    stream.on("end", () => {
      resolve(/"(NOT_)?SERVING"/.test(text));
      end();
    });
    stream.end("{}");
  });
}
