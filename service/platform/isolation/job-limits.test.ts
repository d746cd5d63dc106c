import { offsetof, sizeof, struct } from 'koffi';
import { expect, it } from 'vitest';
import { killOnCloseLimits, limitFlagsOffset, pointerBytesOf } from './job-limits.ts';

/** As declared in the headers of Windows, laid out by a library that follows the rules of C. */
function declared(word: 'uint32_t' | 'uint64_t'): { size: number; flags: number } {
  const basic = struct({
    PerProcessUserTimeLimit: 'int64_t',
    PerJobUserTimeLimit: 'int64_t',
    LimitFlags: 'uint32_t',
    MinimumWorkingSetSize: word,
    MaximumWorkingSetSize: word,
    ActiveProcessLimit: 'uint32_t',
    Affinity: word,
    PriorityClass: 'uint32_t',
    SchedulingClass: 'uint32_t',
  });
  const counters = [
    'ReadOperations',
    'WriteOperations',
    'OtherOperations',
    'Read',
    'Write',
    'Other',
  ];
  const extended = struct({
    BasicLimitInformation: basic,
    IoInfo: struct(Object.fromEntries(counters.map((name) => [`${name}Count`, 'uint64_t']))),
    ProcessMemoryLimit: word,
    JobMemoryLimit: word,
    PeakProcessMemoryUsed: word,
    PeakJobMemoryUsed: word,
  });
  return { size: sizeof(extended), flags: offsetof(basic, 'LimitFlags') };
}

it.each([
  [4, 'uint32_t', 112],
  [8, 'uint64_t', 144],
] as const)(
  'with pointers of %i bytes the limits have the layout of Windows, and one flag: kill-on-close [ISOLATION-14]',
  (pointerBytes, word, size) => {
    const bytes = killOnCloseLimits(pointerBytes);
    expect(bytes.length).toBe(size);
    expect(declared(word)).toEqual({ size, flags: limitFlagsOffset });
    const set = [...bytes.entries()].filter(([, byte]) => byte !== 0);
    expect(set).toEqual([[limitFlagsOffset + 1, 0x20]]);
  },
);

it.each([
  ['x64', 8],
  ['arm64', 8],
  ['ia32', 4],
] as const)('pointers of %s have %i bytes', (architecture, bytes) => {
  expect(pointerBytesOf(architecture)).toBe(bytes);
});
