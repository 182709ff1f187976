/** Every case of the suite, by who has to pass it: what a test expects of an agent that does everything right. */
const forAll = [
  ...["arrival", "manifest", "heartbeat"],
  ...["answer", "answer-once", "failure", "run-once", "at-once"],
  ...["cancel", "cancel-again", "cancel-ended", "cancel-unknown", "timeout", "deadline"],
  ...["unknown-fields", "newer-minor", "large", "safety"],
  ...["step", "step-again", "step-unknown"],
];

export const attachedCases: readonly string[] = [
  ...[...forAll, "heartbeats"],
  ...["repeat", "resume", "held", "send-again", "acknowledged", "stored", "refused-result"],
  ...["new-session", "drain", "not-ready", "shut-out"],
].sort();

export const calledCases: readonly string[] = [
  ...forAll,
  ...["endpoint", "lease", "call-again", "caller-gone", "broken-envelope"],
].sort();
