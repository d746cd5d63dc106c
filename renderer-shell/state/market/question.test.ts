import { expect, it } from 'vitest';
import type { OfferedVersion } from '../../../service/contract/index.ts';
import { addPlugin, createFakeHost } from '../../testing/fake-host.ts';
import type { Question } from './question.ts';
import { confirmationDetails, needsConfirmation } from './question.ts';

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

it('an installation needs a confirmation if the plugin requests permissions', () => {
  expect(needsConfirmation({ kind: 'install', plugin })).toBe(true);
  expect(needsConfirmation({ kind: 'install', plugin: { ...plugin, permissions: [] } })).toBe(
    false,
  );
});

it('an update needs a confirmation for new permissions, a downgrade or the same version', () => {
  expect(needsConfirmation(update({}))).toBe(false);
  expect(needsConfirmation(update({ addedPermissions: ['files.read'] }))).toBe(true);
  expect(needsConfirmation(update({ comparison: 'downgrade' }))).toBe(true);
  expect(needsConfirmation(update({ comparison: 'same' }))).toBe(true);
  expect(needsConfirmation(update({ comparison: null }))).toBe(false);
});

it('the confirmation compares the new version with the installed one', () => {
  const details = confirmationDetails(update({ addedPermissions: ['files.read'] }));
  expect(details).toMatchObject({
    version: '1.1.0',
    installed: '1.0.0',
    comparison: 'upgrade',
    added: ['files.read'],
  });
  expect(confirmationDetails({ kind: 'install', plugin })).toMatchObject({
    permissions: ['network'],
    added: [],
    comparison: null,
  });
});
