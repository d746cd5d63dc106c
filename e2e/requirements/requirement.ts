/** One requirement of the specification. */
export interface Requirement {
  /** Stable: `AREA-NN`; never reused. */
  id: string;
  /** The requirement in one sentence, with every number and condition. */
  text: string;
  /** Heading of the specification; several are separated by `; `. */
  source: string;
}

/** Builds the requirements below one heading from ids and texts. */
export const from = (source: string, texts: Record<string, string>): Requirement[] =>
  Object.entries(texts).map(([id, text]) => ({ id, text, source }));
