import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const shell = join(import.meta.dirname, '../..');

/** Files where a text with such a name is not from the host, or is already localized. */
const exceptions = new Map([
  ['screens/plugins/loaded-folder.tsx', 'is said by the plugin kit'],
  ['screens/settings/diagnostics-settings.tsx', 'is a line of the log'],
  ['screens/workflows/input-row.tsx', 'has its words in `state/workflows/problems.ts`'],
  ['screens/workflows/run-field.tsx', 'is made by the form'],
  ['ui/conversation/resource-group.tsx', 'is said where it is chosen'],
  ['ui/plugins/log-lines.tsx', 'is a line of a log'],
]);

const untranslated =
  /[>\s}]\{(?:\w+\.)*(?:reason|error|warning|advice|why|message|fieldError|stateReason|unsupportedReason|notInstallableReason)\}/;

it('no screen shows a reason of the host without localizing it', async () => {
  const files = await readdir(shell, { recursive: true });
  const screens = files.filter((file) => /\.tsx$/.test(file) && !/test/.test(file));
  expect(screens.length).toBeGreaterThan(100);
  const sources = await Promise.all(
    screens.map(async (file) => [file, await readFile(join(shell, file), 'utf8')] as const),
  );
  // A property that is passed on has its name before it: `error={error}`.
  const found = sources.filter(([, text]) => untranslated.test(text)).map(([file]) => file);
  expect(found.toSorted()).toEqual([...exceptions.keys()]);
});
