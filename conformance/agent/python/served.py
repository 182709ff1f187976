"""An agent that serves gRPC, and registers its address at the hub."""

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from contract import AGENT_SERVICE, REGISTRY_SERVICE, agent_service, registry_service
from introduction import INSTANCE, PACK, heartbeat, manifest
from workload import Workload, flaw_of, seconds_left

LEASE_SECONDS = 30.0
RETRY_SECONDS = 1.0
CALLS_AT_ONCE = 32


class ServedAgent:
    def __init__(self, hub: str) -> None:
        self._hub = hub.removeprefix("http://").rstrip("/")
        self._workload = Workload(lambda result: None, self._store)
        self._report_step = grpc.insecure_channel(self._hub).unary_unary(
            f"/{REGISTRY_SERVICE}/ReportStep",
            request_serializer=registry_service.ReportStepRequest.SerializeToString,
            response_deserializer=registry_service.ReportStepResponse.FromString,
        )
        self._token = os.environ.get("BATON_AGENT_TOKEN", "")
        self._server = grpc.server(ThreadPoolExecutor(max_workers=CALLS_AT_ONCE))
        run = grpc.unary_stream_rpc_method_handler(
            self._run,
            request_deserializer=agent_service.RunAgentRequest.FromString,
            response_serializer=agent_service.RunAgentResponse.SerializeToString,
        )
        cancel = grpc.unary_unary_rpc_method_handler(
            self._cancel,
            request_deserializer=agent_service.CancelAgentRequest.FromString,
            response_serializer=agent_service.CancelAgentResponse.SerializeToString,
        )
        handlers = {"RunAgent": run, "CancelAgent": cancel}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(AGENT_SERVICE, handlers),))
        self._port = self._server.add_insecure_port("127.0.0.1:0")

    def run(self) -> None:
        self._server.start()
        self._announce()

    def _run(
        self, request: agent_service.RunAgentRequest, context: grpc.ServicerContext
    ) -> Iterator[agent_service.RunAgentResponse]:
        self._check_token(context)
        envelope = request.envelope
        flaw = flaw_of(envelope) or ("execution.deadline has passed" if seconds_left(envelope) <= 0 else None)
        if flaw:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, flaw)
        attempt, _ = self._workload.take(envelope)
        # Waits for the attempt, and not for the caller: when the caller is gone, the attempt goes on.
        attempt.ended.wait()
        if not attempt.answer:
            context.abort(grpc.StatusCode.CANCELLED, "it was cancelled")
        yield agent_service.RunAgentResponse(result=attempt.answer)

    def _cancel(
        self, request: agent_service.CancelAgentRequest, context: grpc.ServicerContext
    ) -> agent_service.CancelAgentResponse:
        self._check_token(context)
        return agent_service.CancelAgentResponse(outcome=self._workload.cancel(request.dispatch_id))

    def _store(self, dispatch_id: str, step) -> None:
        request = registry_service.ReportStepRequest(
            pack_id=PACK, instance_id=INSTANCE, dispatch_id=dispatch_id, step=step
        )
        self._report_step(request, wait_for_ready=True)

    def _check_token(self, context: grpc.ServicerContext) -> None:
        shown = dict(context.invocation_metadata()).get("authorization", "")
        if self._token and shown != f"Bearer {self._token}":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "the call shows no valid token")

    def _announce(self) -> None:
        """Registers, and renews the lease three times before it ends."""
        channel = grpc.insecure_channel(self._hub)
        register = channel.unary_unary(
            f"/{REGISTRY_SERVICE}/RegisterAgent",
            request_serializer=registry_service.RegisterAgentRequest.SerializeToString,
            response_deserializer=registry_service.RegisterAgentResponse.FromString,
        )
        send_heartbeat = channel.unary_unary(
            f"/{REGISTRY_SERVICE}/SendHeartbeat",
            request_serializer=registry_service.SendHeartbeatRequest.SerializeToString,
            response_deserializer=registry_service.SendHeartbeatResponse.FromString,
        )
        is_known = False
        while True:
            try:
                if not is_known:
                    register(registry_service.RegisterAgentRequest(manifest=manifest()), wait_for_ready=True)
                beat = heartbeat(self._workload, LEASE_SECONDS, f"http://127.0.0.1:{self._port}")
                granted = send_heartbeat(registry_service.SendHeartbeatRequest(heartbeat=beat))
                is_known = True
                left = granted.lease_expires_at.ToNanoseconds() / 1e9 - time.time()
                time.sleep(max(0.05, left / 3))
            except grpc.RpcError as error:
                print(f"the hub is away: {error.details()}", file=sys.stderr)
                is_known = False
                time.sleep(RETRY_SECONDS)
