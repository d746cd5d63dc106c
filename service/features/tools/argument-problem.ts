import { type HostText, textOf } from '../../messages/index.ts';
/** The reason why a tool refuses its arguments, and the schema that they must match. */
export interface ArgumentProblem {
  reason: HostText;
  schema?: string;
}

/** Returns the problem as text for the model, which then writes the arguments again. */
export const problemForModel = ({ reason, schema }: ArgumentProblem): string =>
  schema === undefined
    ? textOf(reason)
    : `${textOf(reason)} They must fit this JSON Schema: ${schema}`;
