import { expect, it } from 'vitest';
import { ChosenPaths } from './chosen-paths.ts';

it('a chosen path includes everything in it, and nothing else', () => {
  const chosen = new ChosenPaths();
  chosen.add('/home/me/notes.txt');
  chosen.add('/home/me/project/');
  chosen.add('relative/path');
  for (const path of ['/home/me/notes.txt', '/home/me/project', '/home/me/project/src/a.ts'])
    expect([path, chosen.has(path)]).toEqual([path, true]);
  for (const path of [
    ...['/home/me', '/', '', 'relative/path', '/home/me/notes.txt.bak', '/home/me/project2'],
    ...['/home/me/project/../secret', '/home/me/project/./a', '/home/me/project//a'],
    ...['/home/me/project/a\0b', 'home/me/notes.txt'],
  ])
    expect([path, chosen.has(path)]).toEqual([path, false]);
});

it('remembers the newest ten thousand', () => {
  const chosen = new ChosenPaths();
  for (let index = 0; index <= 10_000; index += 1) chosen.add(`/a/${index}`);
  expect([chosen.has('/a/0'), chosen.has('/a/1'), chosen.has('/a/10000')]).toEqual([
    ...[false, true, true],
  ]);
});
