import { expect, test } from 'vitest';
import { expandRoots, hookVariables } from './expand-roots.ts';

const roots = { root: '/p/$& root', data: '/d', settings: { key: '$& ${PLUGIN_ROOT}', none: '' } };

test.each([
  ['${CLAUDE_PLUGIN_ROOT}/x', '/p/$& root/x'],
  ['"${PLUGIN_ROOT}"/x', '"/p/$& root"/x'],
  ['$HOST_PLUGIN_ROOT/x $CLAUDE_PLUGIN_DATA', '/p/$& root/x /d'],
  ['${HOST_PLUGIN_DATA}${PLUGIN_DATA}', '/d/d'],
  [
    '$PLUGIN_ROOTS ${MY_PLUGIN_ROOT} $MY_PLUGIN_ROOT',
    '$PLUGIN_ROOTS ${MY_PLUGIN_ROOT} $MY_PLUGIN_ROOT',
  ],
  ['%CLAUDE_PLUGIN_ROOT%', '%CLAUDE_PLUGIN_ROOT%'],
  ['${plugin_root}', '${plugin_root}'],
  ['a ${user_config.key}', 'a $& ${PLUGIN_ROOT}'],
  ['[${user_config.none}] ${user_config.unknown}', '[] ${user_config.unknown}'],
])('%s becomes %s', (text, expected) => {
  expect(expandRoots(text, roots, 'linux')).toBe(expected);
});

test('on Windows percent signs and any case are accepted, too', () => {
  const windows = { root: 'C:\\p', data: 'D:\\d', settings: {} };
  expect(
    expandRoots('%Claude_Plugin_Root%\\x %PLUGIN_DATA% ${PLUGIN_ROOT}', windows, 'win32'),
  ).toBe('C:\\p\\x D:\\d C:\\p');
});

test('the environment has both folders under each of the three names, and the settings', () => {
  const settings = { 'api-key': 'secret' };
  expect(hookVariables({ root: '/p', data: '/d', settings })).toEqual({
    HOST_PLUGIN_ROOT: '/p',
    HOST_PLUGIN_DATA: '/d',
    CLAUDE_PLUGIN_ROOT: '/p',
    CLAUDE_PLUGIN_DATA: '/d',
    PLUGIN_ROOT: '/p',
    PLUGIN_DATA: '/d',
    CLAUDE_PLUGIN_OPTION_API_KEY: 'secret',
  });
});
