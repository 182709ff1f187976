"""An agent that dials the hub: one stream in both directions, opened again when it is lost."""

import queue
import random
import sys
import threading
import time

import grpc

from contract import REGISTRY_SERVICE, agent_service, registry_service
from introduction import heartbeat, manifest
from session import Session
from workload import Workload, flaw_of

FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0
# Refused with one of these, an agent does not come again.
FOR_GOOD = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
}


class AttachedAgent:
    def __init__(self, hub: str) -> None:
        self._target = hub.removeprefix("http://").rstrip("/")
        self._session = Session()
        self._workload = Workload(
            lambda result: self._session.keep(dispatch_id=result.dispatch_id, result=result),
            lambda dispatch_id, step: self._session.store(dispatch_id=dispatch_id, step=step),
        )
        self._lease_seconds = 30.0

    def run(self) -> None:
        wait = FIRST_WAIT_SECONDS
        while True:
            was_welcome = self._attach()
            wait = FIRST_WAIT_SECONDS if was_welcome else min(wait * 2, LONGEST_WAIT_SECONDS)
            time.sleep(random.uniform(0, wait))

    def _attach(self) -> bool:
        """Opens a stream and lives with it. Returns whether the hub let the agent in."""
        outgoing: queue.SimpleQueue[registry_service.AttachAgentRequest | None] = queue.SimpleQueue()
        is_over = threading.Event()
        was_welcome = False
        # A channel of its own waits for nothing that happened to an earlier one.
        with grpc.insecure_channel(self._target, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
            attach = channel.stream_stream(
                f"/{REGISTRY_SERVICE}/AttachAgent",
                request_serializer=registry_service.AttachAgentRequest.SerializeToString,
                response_deserializer=registry_service.AttachAgentResponse.FromString,
            )
            outgoing.put(self._session.hello(manifest(), self._heartbeat(), self._workload.held()))
            try:
                for response in attach(iter(outgoing.get, None)):
                    if response.HasField("welcome"):
                        was_welcome = True
                        self._welcomed(response.welcome, outgoing.put, is_over)
                    else:
                        self._receive(response)
            except grpc.RpcError as error:
                if not was_welcome and error.code() in FOR_GOOD:
                    sys.exit(f"the hub refuses this agent: {error.details()}")
            finally:
                self._session.closed()
                is_over.set()
                outgoing.put(None)
        return was_welcome

    def _welcomed(self, welcome: registry_service.AttachWelcome, say, is_over: threading.Event) -> None:
        self._lease_seconds = welcome.lease_ttl.ToTimedelta().total_seconds()
        self._session.welcomed(welcome, say)
        interval = welcome.heartbeat_interval.ToTimedelta().total_seconds()

        def beat() -> None:
            while not is_over.wait(interval):
                self._session.mention(heartbeat=self._heartbeat())

        threading.Thread(target=beat, daemon=True).start()

    def _receive(self, response: registry_service.AttachAgentResponse) -> None:
        match response.WhichOneof("message"):
            case "dispatch":
                self._take(response.dispatch)
            case "cancel":
                outcome = self._workload.cancel(response.cancel.dispatch_id)
                self._session.keep(
                    dispatch_id=response.cancel.dispatch_id,
                    cancelled=agent_service.CancelAgentResponse(outcome=outcome),
                )
            case "acknowledged":
                self._session.acknowledged(response.acknowledged.sequence)
            case "refused":
                print(f"the hub refused a message: {response.refused.error.message}", file=sys.stderr)
                self._session.refused(response.refused.sequence)
            case _:
                pass  # The hub ends a stream that it drains, and a newer hub may say more.

    def _take(self, envelope) -> None:
        flaw = flaw_of(envelope) or ("too much waits for the hub" if self._session.is_full() else None)
        if flaw:
            print(f"a task cannot be taken: {flaw}", file=sys.stderr)
            return
        _, is_new = self._workload.take(envelope)
        if not is_new:
            self._session.repeat(envelope.execution.dispatch_id)

    def _heartbeat(self):
        return heartbeat(self._workload, self._lease_seconds)
