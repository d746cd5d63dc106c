import { expect, it } from 'vitest';
import { frameAddress } from './frame-address.ts';

const entry = 'http://127.0.0.1:24056/plugin-runtime/a/ui/index.html?v=1';
const page = (address: string) => new URL(address);

it.each([
  ['app://shell/', entry],
  ['http://127.0.0.1:24056/', entry],
  ['http://localhost:24056/', entry],
  ['http://localhost:8080/', 'http://localhost:8080/plugin-runtime/a/ui/index.html?v=1'],
  ['https://host.example/', 'https://host.example/plugin-runtime/a/ui/index.html?v=1'],
])('in the shell at %s the page of a plugin is at %s', (shell, expected) => {
  expect(frameAddress(entry, page(shell))).toBe(expected);
});

it('a plugin without a page has none', () => {
  expect(frameAddress('', page('http://localhost:8080/'))).toBe('');
});
