import { describe, expect, it } from 'vitest';
import { portChoice } from './port-choice.ts';

describe('the port to listen on', () => {
  it('is 24056 by default, and falls back to another when it is taken [LIMIT-01]', () => {
    expect(portChoice(null)).toEqual({ number: 24_056, fallback: true });
  });

  it('is exactly the requested one', () => {
    expect(portChoice(8080)).toEqual({ number: 8080, fallback: false });
  });

  it('is chosen by the system on request', () => {
    expect(portChoice(0)).toEqual({ number: 0, fallback: false });
  });
});
