import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hostVersion } from '../service/contract/index.ts';
import { run } from './run.ts';

const program = 'usr/lib/plugin-host/app/dist/main';

interface Version {
  /** The package to modify. */
  deb: string;
  /** Folder for the new package. */
  folder: string;
  /** Debian version. */
  version: string;
  /** True if the host in the package reports this version too. */
  reportToHost?: boolean;
  /** Code that runs before the host's program. */
  first?: string | undefined;
}

/** Builds the same package with another version number; returns the path of its file. */
export function otherVersion({
  deb,
  folder,
  version,
  reportToHost = false,
  first,
}: Version): string {
  const tree = join(folder, version);
  expect(run('dpkg-deb', ['--raw-extract', deb, tree])).toMatchObject({ code: 0 });
  change(join(tree, 'DEBIAN', 'control'), (text) =>
    text.replace(/^Version: .*$/m, `Version: ${version}`),
  );
  const files = readdirSync(join(tree, program)).filter((name) => name.endsWith('.mjs'));
  for (const name of reportToHost ? files : [])
    change(join(tree, program, name), (text) => text.replaceAll(hostVersion, version));
  if (first !== undefined) change(join(tree, program, 'index.mjs'), (text) => `${first}\n${text}`);
  const file = join(folder, `plugin-host-lite_${version}.deb`);
  const made = run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file]);
  expect(made).toMatchObject({ code: 0 });
  return file;
}

function change(file: string, by: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = by(text);
  if (changed !== text) writeFileSync(file, changed);
}

/** Returns the ticket in a one-time address. */
export const ticketOf = (url: string): string => /#ticket=([\w-]{20,})$/.exec(url)?.[1] ?? '';

/** Exchanges the ticket as the page does. */
export async function exchange(url: string): Promise<{ status: number; token: string }> {
  const { origin } = new URL(url);
  const answer = await fetch(`${origin}/api/web/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ ticket: ticketOf(url) }),
  });
  const { token = '' } = (await answer.json()) as { token?: string };
  return { status: answer.status, token };
}
