import { expect, it, vi } from 'vitest';

const { exposed, electron } = vi.hoisted(() => {
  const exposed: [string, unknown][] = [];
  const exposeInMainWorld = (name: string, api: unknown): void => void exposed.push([name, api]);
  return { exposed, electron: { contextBridge: { exposeInMainWorld } } };
});

// Whatever else the preload asks of Electron is not there and fails.
vi.mock('electron', () => electron);

await import('./index.ts');

it('shows the page where the service is, as plain data, and nothing else', () => {
  expect(exposed).toEqual([['hostBridge', { baseUrl: '' }]]);
  const [, api] = exposed[0] ?? [];
  expect(Object.isFrozen(api)).toBe(true);
  expect(structuredClone(api)).toEqual(api);
  expect(Object.getOwnPropertyDescriptors(api)).toEqual({
    baseUrl: { value: '', writable: false, enumerable: true, configurable: false },
  });
});
