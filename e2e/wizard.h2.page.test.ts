import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findJava } from '../service/platform/find-java.ts';
import { hostPages } from './host-pages.ts';
import {
  chooseType,
  completeWizard,
  reopenHost,
  openWizard,
  seeItWork,
  setUp,
  wizardArgs,
} from './wizard-steps.ts';

const pages = hostPages([422]);
const { hosts, page, picture } = pages;

test('a host is set up on an H2 file that is named in the wizard, and comes back with what it stored [SETUP-11, SETUP-20]', async () => {
  const host = await hosts.start({ args: wizardArgs });
  const { workDirectory } = host;
  await writeFile(join(workDirectory, 'letter.mv.db'), 'Dear reader, no database. '.repeat(999));
  const stored = await completeWizard(pages, host, {
    label: 'H2',
    name: 'h2',
    wrong: { 'Database file': 'letter' },
    refusal: /^The H2 database file is damaged or unfinished\./,
    right: { 'Database file': 'my data/office' },
    version: /^Version: 2\.1\.214$/,
  });
  expect(stored).toMatch(/^db\.type=H2$/m);
  expect(await readdir(join(workDirectory, 'my data'))).toContain('office.mv.db');
  await reopenHost(pages, workDirectory);
});

test('where no Java is found, the wizard says how to get it; the others can be chosen, and H2 once Java is there', async () => {
  const programs = join(await hosts.makeFolder(), 'bin');
  await mkdir(programs);
  const host = await hosts.start({ args: wizardArgs, env: { PATH: programs, JAVA_HOME: '' } });
  await openWizard(page(), host);
  const h2 = page().getByRole('radio', { name: 'H2', exact: true });
  expect(await h2.isDisabled()).toBe(true);
  const text = await h2.innerText();
  expect(text).toMatch(
    /H2 needs Java 17 or newer\. Install it .*apt install .*, or choose SQLite\./,
  );
  await picture('wizard-h2-without-java');
  for (const label of ['MySQL', 'PostgreSQL', 'SQLite']) await chooseType(page(), label);
  expect(await seeItWork(page())).toMatch(/^Version: 3\.\d+/);

  await symlink((await findJava()) ?? '', join(programs, 'java'));
  await page().reload();
  await chooseType(page(), 'H2');
  expect(await seeItWork(page())).toBe('Version: 2.1.214');
  await setUp(page());
});
