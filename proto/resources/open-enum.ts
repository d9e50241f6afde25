// A word of a list that grows: its known values are named, and clients must tolerate others. The OpenAPI document says so; what the service
// itself writes must be in the list.
import { z } from "zod";

export function openEnum<const Values extends readonly [string, ...string[]]>(values: Values, about = "") {
  return z.enum(values).meta({
    description: `${about}${about && " "}Known are ${values.join(", ")}; more may come.`,
    "x-extensible-enum": [...values],
  });
}
