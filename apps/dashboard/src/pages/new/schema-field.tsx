import { useId, useState } from "react";
import { emptyWord, filledIn, helpOf, snake, titleOf, wordOf } from "./field-words.ts";
import { JsonInput } from "./json-input.tsx";
import { MoreFields } from "./more-fields.tsx";
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
  /** What the hub said is wrong, by the path of the field. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly path: string;
}

/** Fields of one line, and what each takes. What is typed is kept as it is until it is sent. */
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

/** Zero would mean no limit there, which an empty field says already. */
const notZero: ReadonlySet<string> = new Set(["patch_size_limit", "safety.max_autonomous_steps"]);

function isLine(kind: FieldKind): kind is keyof typeof lines {
  return Object.hasOwn(lines, kind);
}

/** A field of the form, by what its schema says it holds. */
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
        {isRequired && <span className="quiet"> (required)</span>}
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

/** A message within the message: its fields, one below the other, those that are needed first. */
function SchemaParts({ name, schema, isRequired, value, onChange, wrong, path }: FieldProps) {
  const whole = resolve(schema);
  const values = isValues(value) ? value : {};
  const isNeeded = (one: string) =>
    isRequired && (whole.required?.includes(one) ?? false) && !filledIn.has(`${path}.${snake(one)}`);
  const fieldOf = ([one, part]: [string, Schema]) => (
    <SchemaField
      key={one}
      name={one}
      schema={part}
      isRequired={isNeeded(one)}
      value={values[one]}
      onChange={(next) => onChange({ ...values, [one]: next })}
      wrong={wrong}
      path={`${path}.${snake(one)}`}
    />
  );
  const fields = Object.entries(whole.properties ?? {});
  const needed = fields.filter(([one]) => isNeeded(one));
  const rest = fields.filter(([one]) => !isNeeded(one));
  const isRestWrong = rest.some(([one]) => isWrong(wrong, `${path}.${snake(one)}`));
  return (
    <details className="parts" open={isRequired || Object.keys(values).length > 0 || isWrong(wrong, path)}>
      <summary>
        {titleOf(name, path)} <span className="quiet">{helpOf(schema, path)}</span>
      </summary>
      <div className="stack parts-body">
        {needed.length === 0 ? (
          rest.map(fieldOf)
        ) : (
          <>
            {needed.map(fieldOf)}
            <MoreFields isOpen={isRestWrong} title={`More of the ${titleOf(name, path).toLowerCase()}`}>
              {rest.map(fieldOf)}
            </MoreFields>
          </>
        )}
      </div>
    </details>
  );
}

/** Whether the hub found something wrong there, or in a part of it. */
export function isWrong(wrong: ReadonlyMap<string, string>, path: string): boolean {
  return [...wrong.keys()].some((field) => field === path || field.startsWith(`${path}.`));
}

export function isValues(value: FormValue): value is FormValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
