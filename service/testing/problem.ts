import { expect } from 'vitest';

/** Matches the error of a client whose call was answered with that problem. */
export const problem = (code: string, status: number): unknown =>
  expect.objectContaining({ problem: expect.objectContaining({ code, status }) as unknown });
