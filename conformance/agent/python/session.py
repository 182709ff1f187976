"""What an attached agent says to the hub: numbered, and kept until the hub has it."""

import threading
from collections.abc import Callable

from contract import registry, registry_service
from workload import held_dispatch

Request = registry_service.AttachAgentRequest
Say = Callable[[Request], None]

# Messages that wait for acknowledgement; beyond that no task is taken.
MOST_KEPT = 1_000


class Session:
    """Streams come and go; the session, its numbers and what is kept go on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._id = ""
        self._last = 0
        self._kept: list[Request] = []
        # Messages that a thread waits for.
        self._waiting: list[tuple[Request, threading.Event]] = []
        # Puts a message on the open stream; None while there is none.
        self._say: Say | None = None

    def is_full(self) -> bool:
        with self._lock:
            return len(self._kept) >= MOST_KEPT

    def hello(
        self,
        manifest: registry.AgentManifest,
        heartbeat: registry.AgentHeartbeat,
        held: list[registry_service.HeldDispatch],
    ) -> Request:
        with self._lock:
            self._last = self._last + 1 if self._id else 1
            request = Request(sequence=self._last)
            request.hello.manifest.CopyFrom(manifest)
            request.hello.heartbeat.CopyFrom(heartbeat)
            request.hello.resume_session_id = self._id
            answered = [held_dispatch(kept.result) for kept in self._kept if kept.HasField("result")]
            request.hello.held_dispatches.extend(held + answered)
            return request

    def welcomed(self, welcome: registry_service.AttachWelcome, say: Say) -> None:
        """Sends again what the hub does not have, and from now on what comes."""
        with self._lock:
            if welcome.session_id == self._id:
                self._forget_up_to(welcome.acknowledged_sequence)
            else:
                self._id = welcome.session_id
                for number, request in enumerate(self._kept, start=2):
                    request.sequence = number
                self._last = len(self._kept) + 1
            for request in self._kept:
                say(request)
            self._say = say

    def closed(self) -> None:
        with self._lock:
            self._say = None

    def keep(self, **message: object) -> None:
        """Says something that has to arrive."""
        with self._lock:
            self._keep(**message)

    def store(self, **message: object) -> None:
        """Says something, and waits until the hub has it."""
        stored = threading.Event()
        with self._lock:
            self._waiting.append((self._keep(**message), stored))
        stored.wait()

    def _keep(self, **message: object) -> Request:
        request = self._numbered(**message)
        self._kept.append(request)
        if self._say:
            self._say(request)
        return request

    def mention(self, **message: object) -> None:
        """Says something that need not arrive."""
        with self._lock:
            if self._say:
                self._say(self._numbered(**message))

    def repeat(self, dispatch_id: str) -> None:
        """Sends the result of an attempt again, if the hub does not have it."""
        with self._lock:
            for request in self._kept:
                if self._say and request.HasField("result") and request.result.dispatch_id == dispatch_id:
                    self._say(request)

    def acknowledged(self, sequence: int) -> None:
        with self._lock:
            self._forget_up_to(sequence)

    def refused(self, sequence: int) -> None:
        with self._lock:
            self._kept = [request for request in self._kept if request.sequence != sequence]

    def _forget_up_to(self, sequence: int) -> None:
        for request, stored in self._waiting:
            if request.sequence <= sequence:
                stored.set()
        self._waiting = [(request, stored) for request, stored in self._waiting if not stored.is_set()]
        self._kept = [request for request in self._kept if request.sequence > sequence]

    def _numbered(self, **message: object) -> Request:
        self._last += 1
        return Request(sequence=self._last, **message)
