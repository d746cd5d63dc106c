/** A validated request. */
export interface FakeRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  files: File[];
  fields: Record<string, string | string[]>;
}

export type FakeAnswer = (request: FakeRequest) => unknown;
