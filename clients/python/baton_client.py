"""Submits work to a Baton hub and waits for it, across restarts of the hub. Standard library only; Python 3.9 or newer."""

import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid

DEFAULT_HUB = "http://127.0.0.1:7434"
_SERVICE = "/vasini.agent.v1.OrchestratorService/"
_MAX_BYTES = 4 * 1024 * 1024
_ENDS = ("PIPELINE_STATUS_COMPLETED", "PIPELINE_STATUS_FAILED", "PIPELINE_STATUS_ABORTED")
# An HTTP status that can pass by itself: too many requests, and a hub that is starting, stopping or slow.
_TRANSIENT = (408, 429, 502, 503, 504)


class BatonError(Exception):
    """The hub refused a call. `code` is its stable key, such as BATON-SUBMIT-001."""

    def __init__(self, message, code="", fix=""):
        super().__init__(message)
        self.code = code
        self.fix = fix


class HubAway(BatonError):
    """The hub was away for too long. Call again with the same key: work that it has taken is not lost."""


class RunFailed(BatonError):
    """The run failed or was aborted; `run` is its last state."""

    def __init__(self, run):
        super().__init__(f"run {run['pipelineId']} ended: {run.get('statusReason', '')}")
        self.run = run


class Result:
    """The result of a completed run."""

    def __init__(self, run):
        self.run = run
        self.stages = {s["stageId"]: s["result"] for s in run.get("stages", []) if "result" in s}
        answers = [result.get("response", {}).get("data") for result in self.stages.values()]
        # Of the last completed stage that answered with data.
        self.data = next((data for data in reversed(answers) if data is not None), {})
        summary = run.get("summary", {})
        self.files = summary.get("artifacts", [])
        self.cost = summary.get("usage", {})


class Run:
    """A run at the hub. It keeps nothing: every call asks the hub."""

    def __init__(self, hub, run_id):
        self._hub = hub
        self.id = run_id

    def state(self):
        return self._hub.call("GetPipeline", {"pipelineId": self.id})["pipeline"]

    def result(self, timeout=None):
        """Waits for the end. Raises RunFailed when the run failed, and TimeoutError after `timeout` seconds."""
        until = None if timeout is None else time.monotonic() + timeout
        delay = 0.1
        while True:
            run = self.state()
            if run["status"] in _ENDS:
                break
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"run {self.id} has not ended in {timeout} s")
            time.sleep(delay)
            delay = min(delay * 1.5, 5)
        if run["status"] != "PIPELINE_STATUS_COMPLETED":
            raise RunFailed(run)
        return Result(run)

    def questions(self):
        """Open questions to people, as Escalation messages."""
        answer = self._hub.call(
            "ListEscalations",
            {"filter": f'resolved = false AND pipeline_id = "{self.id}"', "pageSize": 1000},
        )
        return answer.get("escalations", [])

    def answer(self, question, resolution, reason=""):
        request = {"escalationId": question["escalationId"], "resolution": resolution, "reason": reason}
        self._hub.call("ResolveEscalation", request)

    def cancel(self, reason):
        self._hub.call("AbortPipeline", {"pipelineId": self.id, "reason": reason})


class Hub:
    def __init__(self, address=None, key=None, call_timeout=30.0, outage=300.0):
        self._address = (address or os.environ.get("BATON_HTTP_HUB") or DEFAULT_HUB).rstrip("/")
        if not self._address.startswith(("http://", "https://")):
            raise ValueError("the address of the hub must begin with http:// or https://")
        self._key = key or os.environ.get("BATON_API_KEY")
        self._call_timeout = call_timeout
        self._outage = outage

    def run(self, template=None, *, title, accept, task_type=None, inputs=None, key=None, **fields):
        """Starts a template, a workflow or a single task. The same key with the same work is one run."""
        if (template is None) == (task_type is None):
            raise ValueError("name either a template or a task_type")
        key = key or str(uuid.uuid4())
        request = {
            **fields,
            "idempotencyKey": key,
            "contract": {"taskId": key, "title": title, "acceptanceCriteria": list(accept)},
        }
        request.update({"templateId": template} if template is not None else {"taskType": task_type})
        if inputs is not None:
            request["inputs"] = inputs
        return Run(self, self.call("SubmitTask", request)["pipeline"]["pipelineId"])

    def get(self, run_id):
        """A run that was started before. It need not exist."""
        return Run(self, run_id)

    def call(self, method, request):
        """Calls a method of OrchestratorService with JSON; repeated while the hub is away."""
        since = time.monotonic()
        delay = 0.1
        while True:
            try:
                return self._post(method, request)
            except urllib.error.HTTPError as error:
                refusal = _refusal(error)
                if error.code not in _TRANSIENT:
                    raise refusal from None
                failure = refusal
            except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
                failure = error
            if time.monotonic() - since > self._outage:
                raise HubAway(f"the hub at {self._address} is away: {failure}") from failure
            time.sleep(delay * random.uniform(0.5, 1))
            delay = min(delay * 2, 5)

    def _post(self, method, request):
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        body = json.dumps(request).encode()
        posted = urllib.request.Request(self._address + _SERVICE + method, body, headers, method="POST")
        with _opener.open(posted, timeout=self._call_timeout) as response:
            return json.loads(response.read(_MAX_BYTES + 1))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key must not follow a redirect to another host."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _refusal(error):
    try:
        answer = json.loads(error.read(_MAX_BYTES))
    except ValueError:
        return BatonError(f"the hub answered {error.code}")
    for detail in answer.get("details", []):
        debug = detail.get("debug")
        if isinstance(debug, dict) and "code" in debug:
            return BatonError(debug.get("message", ""), debug["code"], debug.get("fix", ""))
    return BatonError(answer.get("message", f"the hub answered {error.code}"))


def connect(address=None, key=None, **options):
    """Connects to a hub at its HTTP address. Default: BATON_HTTP_HUB, else http://127.0.0.1:7434; key: BATON_API_KEY."""
    return Hub(address, key, **options)
