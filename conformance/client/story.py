"""What the test of the Python client does with a real hub; prints a line for each step."""

import sys

import baton_client

address, key = sys.argv[1:]
hub = baton_client.connect(address, key)
asked = {"title": "Greet Ada", "accept": ["Ada is greeted"], "inputs": {"name": "Ada"}}

run = hub.run(task_type="greeting", key="python-1", **asked)
print("submitted", run.id, flush=True)
sys.stdin.readline()  # Meanwhile the hub is killed and started again.
print("same", hub.run(task_type="greeting", key="python-1", **asked).id == run.id, flush=True)
result = run.result(timeout=600)
print("result", result.data["text"], result.cost.get("inputTokens"), list(result.stages), flush=True)

other = hub.run(task_type="asking", **asked)
while not other.questions():
    pass
other.answer(other.questions()[0], "warm")
print("answered", other.result(timeout=600).data["tone"], flush=True)

third = hub.run(task_type="unknown", **asked)
third.cancel("nobody wants it")
try:
    third.result()
except baton_client.RunFailed as error:
    print("cancelled", "nobody wants it" in str(error), flush=True)
try:
    hub.run("no-such-template", **asked)
except baton_client.BatonError as error:
    print("refused", error.code, bool(error.fix), flush=True)
try:
    baton_client.connect("http://127.0.0.1:9", outage=0).get("p-1").state()
except baton_client.HubAway:
    print("away", flush=True)
