import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostNotification } from './host-notification.ts';

const service = join(import.meta.dirname, '../..');

it('the notifications of the host have a code, so that they can be translated', async () => {
  const files = await readdir(service, { recursive: true });
  const own = files.filter((file) => file.endsWith('.ts') && !/\.test\.|testing\//.test(file));
  const notifying: string[] = [];
  for (const file of own)
    if (/\bcenter\s*\.notify\(/.test(await readFile(join(service, file), 'utf8')))
      notifying.push(file);
  // Notifications from clients and plugins, and those of workflows.
  expect(notifying.sort()).toEqual([
    'app/compose-workflows.ts',
    'features/notifications/routes.ts',
  ]);
});

it('a notification is shortened to what can be stored', () => {
  const parameters = { goal: 'g'.repeat(9_000), code: 'any', reason: `\0${'r'.repeat(9_000)}` };
  const { title, body, ...rest } = hostNotification('run_stopped', parameters, { level: 'error' });
  expect(title).toHaveLength(200);
  expect(body).toBe('r'.repeat(4_000));
  expect(rest).toMatchObject({ source: 'host', level: 'error', code: 'run_stopped' });
  expect(JSON.stringify(rest.parameters).length).toBeLessThan(9_000);
});
