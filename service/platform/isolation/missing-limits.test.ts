import { expect, it } from 'vitest';
import { countsTasks, missingLimits } from './missing-limits.ts';
import { textOf } from '../../messages/index.ts';

const englishLimits = (...args: Parameters<typeof missingLimits>): string =>
  textOf(missingLimits(...args) ?? '');

it.each([
  ['6.1.0-18-amd64', true],
  ['5.14.0-362.el9.x86_64', true],
  ['5.13.19', false],
  ['4.18.0-513.el8.x86_64', false],
  ['10.0', true],
  ['strange', false],
])('kernel %s counts the processes of each sandbox: %s', (release, counts) => {
  expect(countsTasks({ release, isAdministrator: false })).toBe(counts);
});

it.each([
  ['6.1.0', false, /^Memory is limited for each process/],
  ['6.1.0', true, /^The number of processes .* runs as administrator\. Memory is limited/],
  ['5.10.0', false, /^The number of processes .* is too old\. Memory is limited/],
])(
  'the report names what kernel %s does not give (administrator: %s)',
  (release, isAdministrator, sentence) => {
    expect(englishLimits([], { release, isAdministrator })).toMatch(sentence);
  },
);

it('limits of a control group are not missing', () => {
  const system = { release: '6.1.0', isAdministrator: true };
  expect(missingLimits(['memoryBytes', 'tasks'], system)).toBeNull();
  expect(englishLimits(['tasks'], system)).toMatch(/^Memory is limited/);
  expect(englishLimits(['memoryBytes'], system)).toMatch(/^The number of .*tor\.$/);
});
