import type { Template } from "@baton/contract/messages";
import { setQuery } from "../../router/location.ts";
import { PlanGraph } from "./plan-graph.tsx";

interface PlanPickerProps {
  readonly templates: readonly Template[];
  readonly taskTypes: readonly string[];
  readonly templateId: string;
  readonly taskType: string;
  readonly onTaskType: (taskType: string) => void;
}

const single = "-";

export function PlanPicker({ templates, taskTypes, templateId, taskType, onTaskType }: PlanPickerProps) {
  const template = templates.find((one) => one.templateId === templateId);
  return (
    <div className="card">
      <div className="card-body stack">
        <label className="field">
          <span>Template</span>
          <select
            className="input"
            value={template ? templateId : single}
            onChange={(event) => setQuery({ template: event.target.value })}
          >
            {templates.map((one) => (
              <option key={one.templateId} value={one.templateId}>
                {one.name || one.templateId}
              </option>
            ))}
            <option value={single}>Single task, no template</option>
          </select>
          <small>
            {template ? template.description : "One agent runs the task, and the hub checks the result."}
          </small>
        </label>
        {template ? (
          <PlanGraph stages={template.stages} />
        ) : (
          <label className="field">
            <span>Task type</span>
            <input
              className="input"
              list="task-types"
              required
              value={taskType}
              onChange={(event) => onTaskType(event.target.value)}
            />
            <datalist id="task-types">
              {taskTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </datalist>
            <small>Known task types: {taskTypes.join(", ") || "none. Start an agent first."}</small>
          </label>
        )}
      </div>
    </div>
  );
}
