import { expect, it } from 'vitest';
import type { OfferedVersion } from '../../../service/contract/index.ts';
import { addPlugin, createFakeHost } from '../../testing/fake-host.ts';
import type { Question } from './question.ts';
import { askedFor, asksFirst } from './question.ts';

const plugin = addPlugin(createFakeHost(), 'acme.words', {
  permissions: ['network'],
  installedVersion: '1.0.0',
});
const offered: OfferedVersion = {
  version: '1.1.0',
  comparison: 'upgrade',
  permissions: ['network'],
  addedPermissions: [],
};
const update = (change: Partial<OfferedVersion>): Question => ({
  kind: 'update',
  plugin: { ...plugin, offered: { ...offered, ...change } },
});

it('an installation is asked about where the plugin asks for something', () => {
  expect(asksFirst({ kind: 'install', plugin })).toBe(true);
  expect(asksFirst({ kind: 'install', plugin: { ...plugin, permissions: [] } })).toBe(false);
});

it('an update is asked about where it asks for more, goes back, or changes nothing', () => {
  expect(asksFirst(update({}))).toBe(false);
  expect(asksFirst(update({ addedPermissions: ['files.read'] }))).toBe(true);
  expect(asksFirst(update({ comparison: 'downgrade' }))).toBe(true);
  expect(asksFirst(update({ comparison: 'same' }))).toBe(true);
  expect(asksFirst(update({ comparison: null }))).toBe(false);
});

it('what is asked tells what would be there, beside what is', () => {
  const asked = askedFor(update({ addedPermissions: ['files.read'] }));
  expect(asked).toMatchObject({
    version: '1.1.0',
    installed: '1.0.0',
    comparison: 'upgrade',
    added: ['files.read'],
  });
  expect(askedFor({ kind: 'install', plugin })).toMatchObject({
    permissions: ['network'],
    added: [],
    comparison: null,
  });
});
