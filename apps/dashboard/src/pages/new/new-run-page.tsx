import "./new-run.css";
import type { Template } from "@baton/contract/messages";
import { type FormEvent, useRef, useState } from "react";
import { SubmitButton } from "../../design/form.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection, orchestrator } from "../../hub/client.ts";
import { type Problem, problemOf } from "../../hub/problem.ts";
import { useLive } from "../../hub/use-live.ts";
import { navigate, useQuery } from "../../router/location.ts";
import { runAddress } from "../../router/routes.ts";
import { useTitle } from "../../shell/use-title.ts";
import { snake } from "./field-words.ts";
import { FormSection, MoreFields } from "./form-section.tsx";
import { PlanPicker } from "./plan-picker.tsx";
import { labelsOf, requestOf, required, sections } from "./request.ts";
import { resolve, submitSchema } from "./schema.ts";
import { type FormValues, isValues, isWrong, SchemaField } from "./schema-field.tsx";

interface Plans {
  readonly templates: readonly Template[];
  readonly taskTypes: readonly string[];
}

/** The most common fields come first. */
const first = ["repository", "path", "maxCostMicroUsd"];

function placeOf(name: string): number {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
}

/** Submits a task. The form is generated from the schema that the hub validates with. */
export function NewRunPage() {
  useTitle("New run");
  const { value: plans } = useLive("plans", async (signal): Promise<Plans> => {
    const [{ templates }, { policy }] = await Promise.all([
      inspection.getTemplates({}, { signal }),
      inspection.getRoutingPolicy({}, { signal }),
    ]);
    return { templates, taskTypes: policy?.routes.map(({ taskType }) => taskType) ?? [] };
  });
  const query = useQuery();
  const chosen = query.get("template") ?? plans?.templates[0]?.templateId;
  const templateId = plans?.templates.find((one) => one.templateId === chosen)?.templateId ?? "";
  const [taskType, setTaskType] = useState("");
  const [values, setValues] = useState<FormValues>({ contract: {} });
  const [labels, setLabels] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const key = useRef(crypto.randomUUID());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const plan = templateId !== "" ? { templateId } : { taskType };
      const { timeout, ...others } = values;
      // Templates state the timeout per stage.
      const given = templateId === "" ? values : others;
      const { pipeline } = await orchestrator.submitTask({
        ...requestOf(given, plan, key.current),
        labels: labelsOf(labels),
      });
      navigate(runAddress(pipeline?.pipelineId ?? ""));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
      window.scrollTo(0, 0);
    }
  };
  const wrong = new Map(problem?.fields.map(({ field, message }) => [field, message]));
  const { properties = {} } = resolve(submitSchema);
  const fieldOf = (name: string) => {
    const schema = properties[name];
    return (
      schema && (
        <SchemaField
          key={name}
          name={name}
          schema={schema}
          isRequired={required.includes(name)}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
          wrong={wrong}
          path={snake(name)}
        />
      )
    );
  };
  /** The fields of a message, without a frame. */
  const fieldsOf = (part: string) => {
    const own = values[part];
    const known = isValues(own) ? own : {};
    const all = Object.entries(resolve(properties[part] ?? {}).properties ?? {});
    return all
      .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
      .map(([name, schema]) => (
        <SchemaField
          key={`${part}.${name}`}
          name={name}
          schema={schema}
          isRequired={false}
          value={known[name]}
          onChange={(value) => setValues({ ...values, [part]: { ...known, [name]: value } })}
          wrong={wrong}
          path={`${snake(part)}.${snake(name)}`}
        />
      ));
  };
  const limits = sections.limits.filter((name) => name !== "timeout" || templateId === "");
  return (
    <form className="stack new-run" onSubmit={submit}>
      <div className="page-head">
        <h1>New run</h1>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      <PlanPicker
        templates={plans?.templates ?? []}
        taskTypes={plans?.taskTypes ?? []}
        templateId={templateId}
        taskType={taskType}
        onTaskType={setTaskType}
      />
      <div className="card">
        <div className="card-body stack">{sections.task.map(fieldOf)}</div>
      </div>
      <FormSection title="Workspace" help="Where agents work on files. Leave empty for tasks without files.">
        {fieldsOf("workspace")}
      </FormSection>
      <FormSection title="Limits" help="Default: the limits of the template, or none.">
        {fieldsOf("budget")}
        {limits.map(fieldOf)}
      </FormSection>
      <div className="card">
        <div className="card-body">
          <MoreFields
            title="Context, priority, safety, references and labels"
            isOpen={[...sections.more, "labels"].some((name) => isWrong(wrong, snake(name)))}
          >
            {sections.more.map(fieldOf)}
            <label className="field">
              <span>Labels</span>
              <textarea
                className="input"
                rows={2}
                value={labels}
                placeholder="team=core"
                onChange={(event) => setLabels(event.target.value)}
              />
              <span className="quiet">One per line, as name=value. You can search runs by label.</span>
            </label>
          </MoreFields>
        </div>
      </div>
      <div className="row new-run-actions">
        <SubmitButton
          isBusy={isBusy}
          missing={templateId === "" && taskType === "" ? "Enter a task type first." : ""}
        >
          Start
        </SubmitButton>
      </div>
    </form>
  );
}
