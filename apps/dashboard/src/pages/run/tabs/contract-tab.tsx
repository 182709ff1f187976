import { NotYet, Part, type TabProps, Texts } from "./tab.tsx";

export function ContractTab({ stage, attempt }: TabProps) {
  const contract = attempt?.envelope?.contract;
  if (!contract) return <NotYet stage={stage} what="The contract appears after dispatch." />;
  const { expectedFiles, environment, safety } = { ...contract, safety: attempt?.envelope?.safety };
  const commands = environment
    ? ([
        ["tests", environment.testCommand],
        ["lint", environment.lintCommand],
        ["types", environment.typecheckCommand],
        ["build", environment.buildCommand],
        ["security", environment.securityCommand],
      ] as const)
    : [];
  const named = commands.filter(([, command]) => command !== "");
  return (
    <div className="stack">
      <p>
        <strong>{contract.title}</strong> <span className="quiet mono">{contract.taskId}</span>
      </p>
      <Texts title="Acceptance criteria" texts={contract.acceptanceCriteria} />
      <Texts title="Definition of done" texts={contract.definitionOfDone} />
      <Texts title="Non-goals" texts={contract.nonGoals} />
      {named.length > 0 && (
        <Part title="Checks run by the hub">
          <dl className="facts">
            {named.map(([check, command]) => (
              <div className="pair" key={check}>
                <dt>{check}</dt>
                <dd>
                  <code>{command}</code>
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
      <Texts
        title="Allowed files"
        texts={[
          ...(expectedFiles?.create ?? []).map((path) => `${path} (new)`),
          ...(expectedFiles?.modify ?? []),
          ...(expectedFiles?.delete ?? []).map((path) => `${path} (delete)`),
        ]}
      />
      <Texts title="Prohibited actions" texts={safety?.prohibitedActions} />
      <Texts title="Allowed tools" texts={safety?.toolAllowlist} />
      <Texts title="Denied tools" texts={safety?.toolDenylist} />
    </div>
  );
}
