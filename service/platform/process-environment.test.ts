import { describe, expect, it } from 'vitest';
import { environmentWith, variableOf } from './process-environment.ts';

describe('a variable', () => {
  const env = { Path: 'C:\\Windows', HOME: '/home/me' };

  it('is case-sensitive, except on Windows', () => {
    expect(variableOf(env, 'PATH', 'linux')).toBeUndefined();
    expect(variableOf(env, 'HOME', 'linux')).toBe('/home/me');
    expect(variableOf(env, 'PATH', 'win32')).toBe('C:\\Windows');
  });

  it('replaces the one with the same name', () => {
    expect(environmentWith(env, { PATH: '/bin' }, 'linux')).toEqual({ ...env, PATH: '/bin' });
    expect(environmentWith(env, { PATH: 'D:\\bin' }, 'win32')).toEqual({
      HOME: '/home/me',
      PATH: 'D:\\bin',
    });
  });
});
