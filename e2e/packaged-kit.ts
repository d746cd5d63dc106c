import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { unpack } from '../plugin-kit/testing/unpack.ts';
import { type CommandResult, run } from './run.ts';

/** Returns a command prefix that removes network access, if this machine supports it. */
const offline = (): string[] =>
  run('unshare', ['--net', 'true']).code === 0 ? ['unshare', '--net'] : [];

/**
 * Creates, checks and packs a plugin in TypeScript with an npm package, using only the kit in the
 * host's package.
 */
export async function packsTypeScript(launcher: string, folder: string): Promise<void> {
  const plugin = join(folder, 'typed');
  const command = [...offline(), launcher, '--kit'];
  const kit = (...args: string[]): CommandResult =>
    run('env', [...command, ...args], { PATH: '/usr/bin:/bin', HOME: folder });
  const init = kit('init', plugin, '--id=com.example.typed', '--runtime=typescript');
  expect(init.code, init.stderr).toBe(0);
  const dependency = join(plugin, 'node_modules', 'left-words');
  mkdirSync(dependency, { recursive: true });
  writeFileSync(
    join(dependency, 'package.json'),
    '{"name":"left-words","version":"1.0.0","license":"MIT","type":"module","main":"index.js"}',
  );
  writeFileSync(join(dependency, 'index.js'), "export const mark = 'from the package of npm';\n");
  const worker = join(plugin, 'backend', 'worker.ts');
  const text = readFileSync(worker, 'utf8');
  writeFileSync(worker, `import { mark } from 'left-words';\nprocess.stderr.write(mark);\n${text}`);
  const validated = kit('validate', plugin);
  expect(validated, validated.stdout + validated.stderr).toMatchObject({ code: 0 });
  const packed = kit('pack', plugin);
  expect(packed, packed.stderr).toMatchObject({ code: 0 });
  const contents = join(folder, 'contents');
  const names = (await unpack(packed.stdout.trim(), contents)).map(({ fileName }) => fileName);
  expect(names).toEqual(expect.arrayContaining(['ui/main.js', 'THIRD-PARTY-NOTICES']));
  const bundle = readFileSync(join(contents, 'backend', 'worker.mjs'), 'utf8');
  expect(bundle).toContain('from the package of npm');
}
