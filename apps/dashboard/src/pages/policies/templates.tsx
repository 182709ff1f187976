import { FailureStrategy, type Template } from "@baton/contract/messages";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Empty } from "../../design/empty.tsx";
import { formatSpan } from "../../design/format-time.ts";
import { Link } from "../../router/link.tsx";

export function Templates({ templates }: { readonly templates: readonly Template[] }) {
  return (
    <section className="card" aria-labelledby="templates">
      <header>
        <h2 id="templates">Templates</h2>
      </header>
      {templates.length === 0 && (
        <Empty title="No templates">
          <p>To write one, follow docs/how-to/write-a-template.md.</p>
        </Empty>
      )}
      <ul className="template-list">
        {templates.map((template) => (
          <TemplateItem key={template.templateId} template={template} />
        ))}
      </ul>
    </section>
  );
}

function TemplateItem({ template }: { readonly template: Template }) {
  const { templateId, name, description, stages, policy } = template;
  return (
    <li className="stack tight">
      <div className="row">
        <strong>{name || templateId}</strong>
        <code className="quiet">{templateId}</code>
        <span className="spring" />
        <span className="row">
          <Link className="button small" href={`/runs?template=${encodeURIComponent(templateId)}`}>
            Runs
          </Link>
          <Link className="button small" href={`/runs/new?template=${encodeURIComponent(templateId)}`}>
            Start a run
          </Link>
        </span>
      </div>
      {description !== "" && <p className="muted">{description}</p>}
      <ol className="plan-stages">
        {stages.map(({ stageId, taskType, config }) => (
          <li key={stageId}>
            <strong>{stageId}</strong> <span className="quiet">{taskType}</span>
            {config && config.dependsOnStages.length > 0 && (
              <span className="quiet"> after {config.dependsOnStages.join(", ")}</span>
            )}
          </li>
        ))}
      </ol>
      {policy && (
        <p className="quiet">
          At most {policy.maxTotalRetries} retries and {policy.maxRejections} rejections
          {policy.pipelineDeadline && `, deadline ${formatSpan(durationMs(policy.pipelineDeadline))}`}
          {policy.failureStrategy !== FailureStrategy.UNSPECIFIED &&
            `. When a stage fails: ${FailureStrategy[policy.failureStrategy]?.toLowerCase().replace("_", " ")}`}
          .
        </p>
      )}
    </li>
  );
}
