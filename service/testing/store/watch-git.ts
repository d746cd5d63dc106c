import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from '../../platform/find-program.ts';

/** A recorded run of git. */
export interface GitRun {
  args: string[];
  env: Record<string, string>;
}

/** Records runs of git. */
export interface GitWitness {
  /** Returns all runs so far, including those that git itself started. */
  runs(): Promise<GitRun[]>;
  restore(): Promise<void>;
}

/** Puts a `git` first in PATH that records its arguments and then runs the real git. */
export async function watchGit(): Promise<GitWitness> {
  const git = (await findProgram('git')) as string;
  const path = process.env['PATH'] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'git-witness-'));
  const notes = await mkdtemp(join(tmpdir(), 'git-notes-'));
  const script = [
    '#!/bin/sh',
    `note=$(mktemp '${notes}/XXXXXXXXXX')`,
    `printf '%s\\0' "$@" > "$note.args"`,
    `env -0 > "$note.env"`,
    `exec '${git}' "$@"`,
  ];
  await writeFile(join(folder, 'git'), `${script.join('\n')}\n`);
  await chmod(join(folder, 'git'), 0o755);
  process.env['PATH'] = `${folder}${delimiter}${path}`;
  const listOf = async (file: string): Promise<string[]> =>
    (await readFile(join(notes, file), 'utf8')).split('\0').slice(0, -1);
  return {
    async runs() {
      const names = (await readdir(notes)).filter((name) => name.endsWith('.env'));
      return Promise.all(
        names.map(async (name) => ({
          args: await listOf(name.replace(/\.env$/, '.args')),
          env: Object.fromEntries(
            (await listOf(name)).map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]),
          ),
        })),
      );
    },
    async restore() {
      process.env['PATH'] = path;
      await rm(folder, { recursive: true, force: true });
      await rm(notes, { recursive: true, force: true });
    },
  };
}
