import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandLocation } from '../../../../testing/use-command-location.ts';
import { ProtectedFiles } from './protected-files.ts';

const commandLocation = useCommandLocation();
const aside = /^\.envrc\.put-aside-\w{6}$/;

describe('a command that creates more folders than allowed', () => {
  const makeMany = async (): Promise<void> => {
    for (let n = 0; n < 30; n += 1) await mkdir(join(commandLocation.workspace, String(n)));
    await writeFile(join(commandLocation.workspace, '.envrc'), 'x');
  };

  it('leaves nothing behind, and commands run again after the user removed folders', async () => {
    const files = new ProtectedFiles(commandLocation.records, 20);
    const hold = await files.hold(commandLocation);
    await makeMany();
    expect(await hold.end()).toMatchObject({ putAside: ['.envrc'], isClean: true });
    expect(await readdir(commandLocation.workspace)).toContainEqual(expect.stringMatching(aside));
    expect(await readdir(commandLocation.records)).toEqual([]);
    await expect(files.hold(commandLocation)).rejects.toMatchObject({
      code: 'workspace_too_large',
    });
    // An approved call runs.
    await (
      await files.allow(commandLocation, true)
    )();
    await rm(join(commandLocation.workspace, '1'), { recursive: true });
    for (let n = 2; n < 20; n += 1)
      await rm(join(commandLocation.workspace, String(n)), { recursive: true });
    await (await files.hold(commandLocation)).end();
  });

  it('leaves nothing behind after the host was killed', async () => {
    await new ProtectedFiles(commandLocation.records, 20).hold(commandLocation);
    await makeMany();
    new ProtectedFiles(commandLocation.records, 20).start();
    await expect.poll(() => readdir(commandLocation.records)).toEqual([]);
    expect(await readdir(commandLocation.workspace)).toContainEqual(expect.stringMatching(aside));
  });
});

describe('a host without administrator rights', () => {
  it('reads folders that a command made inaccessible, and puts aside what they contain', async () => {
    const script = `
      import { chmodSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
      import { ProtectedFiles } from ${JSON.stringify(new URL('protected-files.ts', import.meta.url).href)};
      process.chdir(process.argv[1]);
      mkdirSync('sub/.vscode', { recursive: true });
      const files = new ProtectedFiles('../commands');
      const workspace = process.cwd();
      const hold = await files.hold({ workspace, cwd: workspace, hidden: [] });
      for (const name of ['closed', 'listed', 'z']) mkdirSync(name);
      for (const name of ['closed', 'listed', '.']) writeFileSync(name + '/.envrc', 'x');
      renameSync('sub', 'z/sub');
      mkdirSync('sub/.vscode', { recursive: true });
      chmodSync('closed', 0);
      chmodSync('z', 0);
      chmodSync('listed', 0o555);
      chmodSync('.', 0o311);
      console.log(JSON.stringify([(await hold.end()).putAside.sort(), readdirSync('closed').length]));`;
    const user = 65_534;
    const asAnother =
      process.getuid?.() === 0
        ? (['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'] as const)
        : [];
    const owner = spawnSync('chown', ['-R', `${user}`, dirname(commandLocation.workspace)]);
    const node = [
      process.execPath,
      '--input-type=module',
      '-e',
      script,
      commandLocation.workspace,
    ] as const;
    const [program, ...args] = [...asAnother, ...node];
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    expect(stderr + stdout).toBe(`[[".envrc","closed/.envrc","listed/.envrc","sub/.vscode"],1]\n`);
    expect(owner.error).toBeUndefined();
  });
});
