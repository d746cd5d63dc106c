import { type HostText, textOf } from '../../messages/index.ts';
/** Why a tool does not take arguments, and the schema that they must fit. */
export interface ArgumentProblem {
  reason: HostText;
  schema?: string;
}

/** A problem in words for a model, which writes the arguments anew. */
export const problemForModel = ({ reason, schema }: ArgumentProblem): string =>
  schema === undefined
    ? textOf(reason)
    : `${textOf(reason)} They must fit this JSON Schema: ${schema}`;
