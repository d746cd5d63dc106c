import { copyFile, cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { runBuiltKit } from '../../plugin-kit/testing/built-kit.ts';
import { useFolder } from '../../service/testing/use-for-file.ts';

const folder = await useFolder('checksums-');
const plugin = join(folder, 'checksums');
/** Debian splits into several files what Maven Central also offers as one. */
const junit = [
  'junit-jupiter-api',
  'junit-jupiter-engine',
  'junit-platform-commons',
  'junit-platform-engine',
  'junit-platform-launcher',
  'opentest4j',
  'apiguardian-api',
].map((name) => `/usr/share/java/${name}.jar`);

it('the tests of a Java plugin run with JUnit, against the worker in the sandbox and its page', async () => {
  await cp(join(import.meta.dirname, 'checksums'), plugin, { recursive: true });
  const without = await runBuiltKit('test', plugin);
  expect(without.code).toBe(1);
  expect(without.stderr).toMatch(
    /checksums need JUnit\. Put junit-platform-console-standalone-<version>\.jar .* into test\/lib/,
  );

  await mkdir(join(plugin, 'test', 'lib'));
  for (const jar of junit) await copyFile(jar, join(plugin, 'test', 'lib', basename(jar)));
  const outcome = await runBuiltKit('test', plugin);
  expect(outcome, `${outcome.stdout}${outcome.stderr}`).toMatchObject({ code: 0 });
  expect(outcome.stdout).toMatch(/^ok {3}the page lists the files of a folder$/m);
  expect(outcome.stdout).toMatch(/^pass 3\nfail 0$/m);
});
