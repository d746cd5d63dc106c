import { expect, it } from 'vitest';
import { hostSentences } from '../testing/host-sentences.ts';

/** Commands, names and headers, and texts for programs: the same in every language. */
const names = [
  'HTTP/1.1 200 Connection Established',
  'Start Menu',
  '[Desktop Entry]',
  'Name=Plugin Host',
  'apt-get install {1}',
  'Bearer {1}',
  'Plugin Host',
  'Claude Code',
  'Protected resource',
  'version https://git-lfs',
  'query parser',
  'case sensitive routing',
  'strict routing',
  'false schema',
  '<!doctype html><html lang="{1}"><meta charset="utf-8"><title>{2}</title><h1>{3}</h1><p>{4}</p></html>',
];

/** Titles of HTTP statuses. */
const titles = ['Too Large', 'Disk Full', 'Not found'];

/** Responses to workers, and log lines that are not written where they are logged. */
const logged = [
  'the host runs as root',
  'this machine does not let Chromium make one',
  'A schedule could not be stored, so it waits',
  'A run of a schedule was not begun',
  'How a run ended could not be stored',
  'A notification was not stored',
  'The host offers no methods.',
  'worker wrote something that is not JSON-RPC on stdout: {1}',
  'The worker logged a large value instead of a text.',
  'The databases of uninstalled plugins cannot be looked for',
  'The database {1} of the uninstalled plugin {2}',
  'The new source could not be read',
  'The source {1} could not be read',
  'The end of a run could not be stored',
  'The state of a run could not be stored',
  'A run failed',
  'A run was not read',
  'A request about a run was not handled',
  'A run could not be done',
  'A run was not finished',
  'A run could not be kept alive in the queue',
  'The configuration file cannot be written, so its password stays in the clear',
];

/** Terminal output. */
const written = ['--{1} cannot be used with this app.'];

it('texts for people are messages', async () => {
  const found = await hostSentences();
  const allowed = new Set([...names, ...titles, ...logged, ...written]);
  expect(found.filter(({ text }) => !allowed.has(text))).toEqual([]);
  const texts = new Set(found.map(({ text }) => text));
  expect([...allowed].filter((text) => !texts.has(text))).toEqual([]);
});
