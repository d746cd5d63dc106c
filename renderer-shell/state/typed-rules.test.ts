import { expect, it } from 'vitest';
import { rulesOf } from './typed-rules.ts';

const rules = (allow: string, deny = '') => ({ deny, ask: '', allow });

it('edited rules preserve rules stored meanwhile, such as a permanent approval', () => {
  const base = rules('Command(ls:*)');
  const typed = rules('Command(ls:*)\nCommand(npm:*)');
  expect(rulesOf({ base, typed }, base)).toEqual(typed);
  const stored = rules('Command(ls:*)\nCommand(pwd)', 'Command(rm:*)');
  expect(rulesOf({ base, typed }, stored)).toEqual(
    rules('Command(ls:*)\nCommand(npm:*)\nCommand(pwd)', 'Command(rm:*)'),
  );
  expect(rulesOf({ base, typed: base }, stored)).toEqual(stored);
  const other = rules('Command(other)');
  expect(rulesOf({ base, typed }, other)).toEqual(typed);
});
