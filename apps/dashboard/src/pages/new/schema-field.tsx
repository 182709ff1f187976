import { useId, useState } from "react";
import { filledIn, helpOf, snake, titleOf } from "./field-words.ts";
import { JsonInput } from "./json-input.tsx";
import { MoreFields } from "./more-fields.tsx";
import { kindOf, namesOf, resolve, type Schema } from "./schema.ts";

export type FormValue = string | number | boolean | readonly string[] | FormValues | undefined;
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

/** A field of the form, by what its schema says it holds. */
export function SchemaField(props: FieldProps) {
  const { name, schema, isRequired, value, onChange, wrong, path } = props;
  const id = useId();
  const [fault, setFault] = useState<string>();
  const kind = kindOf(schema);
  if (kind === "parts") return <SchemaParts {...props} />;
  const problem = fault ?? wrong.get(path);
  const control = {
    id,
    "aria-describedby": `${id}-help`,
    "aria-invalid": problem !== undefined || undefined,
  };
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return (
    <div className="field">
      <label htmlFor={id}>
        {titleOf(name)}
        {kind === "json" && <span className="quiet"> (JSON)</span>}
        {isRequired && <span className="quiet"> (needed)</span>}
      </label>
      {kind === "texts" && (
        <textarea
          {...control}
          className="input"
          required={isRequired}
          value={Array.isArray(value) ? value.join("\n") : ""}
          placeholder="one a line"
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
          <option value="">not stated</option>
          {namesOf(resolve(schema))?.map((one) => (
            <option key={one} value={one}>
              {one.replace(/^[A-Z]+(_TIER)?_/, "").toLowerCase()}
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
      {(kind === "text" || kind === "number") && (
        <input
          {...control}
          className="input"
          type={kind === "number" ? "number" : "text"}
          min={schema.minimum}
          required={isRequired}
          value={text}
          onChange={(event) => onChange(kind === "number" ? Number(event.target.value) : event.target.value)}
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
        {titleOf(name)} <span className="quiet">{helpOf(schema, path)}</span>
      </summary>
      <div className="stack parts-body">
        {needed.length === 0 ? (
          rest.map(fieldOf)
        ) : (
          <>
            {needed.map(fieldOf)}
            <MoreFields isOpen={isRestWrong} title={`More of the ${titleOf(name).toLowerCase()}`}>
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
