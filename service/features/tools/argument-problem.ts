/** Why a tool does not take arguments: a sentence, and the schema that they must fit. */
export interface ArgumentProblem {
  reason: string;
  schema?: string;
}

/** A problem in words for a model, which writes the arguments anew. */
export const problemForModel = ({ reason, schema }: ArgumentProblem): string =>
  schema === undefined ? reason : `${reason} They must fit this JSON Schema: ${schema}`;
