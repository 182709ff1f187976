import { type DescField, getOption, isMessage } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** The range that the contract states for a number or a duration. */
export interface Bounds {
  readonly least?: number;
  readonly most?: number;
  /** For a duration: zero is outside the range. */
  readonly isPositive?: boolean;
}

/** For readers of the same fields in another form, such as a configuration file, so that both state one range. */
export function boundsOf(field: DescField): Bounds {
  const { type } = getOption(field, fieldRules);
  switch (type.case) {
    case "int32":
    case "int64":
    case "double": {
      const { greaterThan, lessThan } = type.value;
      return {
        ...(greaterThan.case === "gte" && { least: Number(greaterThan.value) }),
        ...(lessThan.case === "lte" && { most: Number(lessThan.value) }),
      };
    }
    case "duration": {
      const { greaterThan } = type.value;
      const isZero = isMessage(greaterThan.value, DurationSchema) && greaterThan.value.seconds === 0n;
      return greaterThan.case === "gt" && isZero ? { isPositive: true } : {};
    }
    default:
      return {};
  }
}
