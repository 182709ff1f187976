import { useId, useState } from "react";
import { emptyWord, filledIn, helpOf, snake, titleOf, wordOf } from "./field-words.ts";
import { MoreFields } from "./form-section.tsx";
import { JsonInput } from "./json-input.tsx";
import { type FieldKind, kindOf, namesOf, resolve, type Schema } from "./schema.ts";

export type FormValue = string | boolean | readonly string[] | FormValues | undefined;
export interface FormValues {
  readonly [name: string]: FormValue;
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
  /** The errors of the hub by field path. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly path: string;
}

/** The attributes of single-line fields. */
const lines = {
  text: { type: "text" },
  number: { type: "number", min: 0, step: 1 },
  dollars: { type: "number", min: 0, step: 0.01 },
  instant: { type: "datetime-local" },
  duration: {
    type: "text",
    pattern: "[1-9][0-9]{0,5}[smhd]",
    placeholder: "30m",
    title: "Such as 90s, 30m or 2h",
  },
} as const;

/** Zero would mean no limit, which is the default already. */
const notZero: ReadonlySet<string> = new Set(["patch_size_limit", "safety.max_autonomous_steps"]);

function isLine(kind: FieldKind): kind is keyof typeof lines {
  return Object.hasOwn(lines, kind);
}

/** A form field for a property of the schema. */
export function SchemaField(props: FieldProps) {
  const { name, schema, isRequired, value, onChange, wrong, path } = props;
  const id = useId();
  const [fault, setFault] = useState<string>();
  const kind = kindOf(schema, name);
  if (kind === "parts") return <SchemaParts {...props} />;
  const problem = fault ?? wrong.get(path);
  const control = {
    id,
    "aria-describedby": `${id}-help`,
    "aria-invalid": problem !== undefined || undefined,
  };
  const text = typeof value === "string" ? value : "";
  return (
    <div className="field">
      <label htmlFor={id}>
        {titleOf(name, path)}
        {kind === "json" && <span className="quiet"> (JSON)</span>}
        {isRequired && <span className="quiet"> Required</span>}
      </label>
      {kind === "texts" && (
        <textarea
          {...control}
          className="input"
          required={isRequired}
          value={Array.isArray(value) ? value.join("\n") : ""}
          placeholder="One per line"
          onChange={(event) => onChange(event.target.value.split("\n"))}
        />
      )}
      {kind === "json" && (
        <JsonInput {...control} schema={schema} text={text} onChange={onChange} onFault={setFault} />
      )}
      {kind === "names" && (
        <select
          {...control}
          className="input"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{emptyWord(path)}</option>
          {namesOf(resolve(schema))?.map((one) => (
            <option key={one} value={one}>
              {wordOf(one)}
            </option>
          ))}
        </select>
      )}
      {kind === "yes-no" && (
        <input
          {...control}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      )}
      {isLine(kind) && (
        <input
          {...control}
          {...lines[kind]}
          {...(kind === "number" && { min: notZero.has(path) ? 1 : 0, max: resolve(schema).maximum })}
          className="input"
          required={isRequired}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <small id={`${id}-help`} className={problem === undefined ? undefined : "wrong"}>
        {problem ?? helpOf(schema, path)}
      </small>
    </div>
  );
}

/** The fields of a nested message, required ones first. */
function SchemaParts({ name, schema, isRequired, value, onChange, wrong, path }: FieldProps) {
  const whole = resolve(schema);
  const values = isValues(value) ? value : {};
  const isFieldRequired = (one: string) =>
    isRequired && (whole.required?.includes(one) ?? false) && !filledIn.has(`${path}.${snake(one)}`);
  const fieldOf = ([one, part]: [string, Schema]) => (
    <SchemaField
      key={one}
      name={one}
      schema={part}
      isRequired={isFieldRequired(one)}
      value={values[one]}
      onChange={(next) => onChange({ ...values, [one]: next })}
      wrong={wrong}
      path={`${path}.${snake(one)}`}
    />
  );
  const fields = Object.entries(whole.properties ?? {});
  const requiredFields = fields.filter(([one]) => isFieldRequired(one));
  const rest = fields.filter(([one]) => !isFieldRequired(one));
  const isRestWrong = rest.some(([one]) => isWrong(wrong, `${path}.${snake(one)}`));
  return (
    <details className="parts" open={isRequired || Object.keys(values).length > 0 || isWrong(wrong, path)}>
      <summary>
        {titleOf(name, path)} <span className="quiet">{helpOf(schema, path)}</span>
      </summary>
      <div className="stack parts-body">
        {requiredFields.length === 0 ? (
          rest.map(fieldOf)
        ) : (
          <>
            {requiredFields.map(fieldOf)}
            <MoreFields isOpen={isRestWrong} title={`More ${titleOf(name, path).toLowerCase()} fields`}>
              {rest.map(fieldOf)}
            </MoreFields>
          </>
        )}
      </div>
    </details>
  );
}

/** Whether the hub reported an error for the field or a part of it. */
export function isWrong(wrong: ReadonlyMap<string, string>, path: string): boolean {
  return [...wrong.keys()].some((field) => field === path || field.startsWith(`${path}.`));
}

export function isValues(value: FormValue): value is FormValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
