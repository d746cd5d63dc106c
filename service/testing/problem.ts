import { expect } from 'vitest';

/** Matches a client's error with this problem code and status. */
export const problem = (code: string, status: number): unknown =>
  expect.objectContaining({ problem: expect.objectContaining({ code, status }) as unknown });
