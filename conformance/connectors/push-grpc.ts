import { createServer } from "node:http2";
import {
  AgentService,
  AgentTransport,
  CancelAgentResponseSchema,
  RunAgentResponseSchema,
  TaskEnvelopeSchema,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { announce } from "./announce.ts";
import type { Connector } from "./connector.ts";
import { listening } from "./listening.ts";
import { PushedAgent } from "./pushed-agent.ts";
import { babble, raw } from "./raw-message.ts";

/** The field of a turn in RunAgentResponse. */
const turnField = 1;

/** An agent that listens for gRPC: RunAgent and CancelAgent. */
export const pushGrpc: Connector = {
  name: "push over gRPC",
  async connectAgent(hub, behaviour) {
    let current: Hub = hub;
    const agent = new PushedAgent(
      behaviour,
      () => cutOff(),
      () => current,
    );
    const { runAgent, cancelAgent } = AgentService.method;
    const handler = connectNodeAdapter({
      routes: (router) => {
        router.rpc({ ...runAgent, output: EmptySchema }, async function* ({ envelope }) {
          for await (const one of agent.run(envelope ?? create(TaskEnvelopeSchema))) {
            if (one === "no room") throw new ConnectError("no room", Code.ResourceExhausted);
            yield one === "babble" ? babble(turnField) : raw(RunAgentResponseSchema, one);
          }
        });
        router.rpc(cancelAgent, (request) =>
          create(CancelAgentResponseSchema, { outcome: agent.cancel(request) }),
        );
      },
    });
    const { uri, cutOff } = await listening(createServer(handler));
    const returnTo = (to: Hub) => {
      current = to;
      return announce(to, { uri, transport: AgentTransport.GRPC });
    };
    await returnTo(hub);
    return { returnTo };
  },
};
