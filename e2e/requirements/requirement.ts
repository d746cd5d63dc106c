/** One promise of the specification. */
export interface Requirement {
  /** Stable: `AREA-NN`; never given to another promise. */
  id: string;
  /** The promise in one sentence, with every number and condition. */
  text: string;
  /** Heading of the specification; several are separated by `; `. */
  source: string;
}

/** The promises below one heading, written as id and text. */
export const from = (source: string, texts: Record<string, string>): Requirement[] =>
  Object.entries(texts).map(([id, text]) => ({ id, text, source }));
