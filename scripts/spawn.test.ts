import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'spawn.ts')).href;

/** Arguments for a process that runs `program` by `spawnPassing` and ends with its exit code. */
const passing = (program: string, args: string[]): string[] => [
  '--input-type=module',
  '-e',
  `import { spawnPassing } from '${module}';
   process.exitCode = await spawnPassing(${JSON.stringify(program)}, ${JSON.stringify(args)});`,
];

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, passing(program, args), { encoding: 'utf8' });

describe('a program that a script runs', () => {
  it('writes to the same streams, and its exit code comes back', () => {
    const { status, stdout, stderr } = run(
      process.execPath,
      '-e',
      'console.log("out"); console.error("err"); process.exitCode = 7',
    );
    expect([status, stdout, stderr]).toEqual([7, 'out\n', 'err\n']);
  });

  it('is a failure when a signal ended it', () => {
    expect(run(process.execPath, '-e', 'process.kill(process.pid, "SIGKILL")').status).toBe(1);
  });

  it('is a failure with a sentence when it cannot be started', () => {
    const { status, stderr } = run('/no/such/program');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\/no\/such\/program cannot be started: .+\n$/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)('receives %s', async (signal) => {
    const script = `process.on('${signal}', () => { console.log('got it'); process.exit(0); });
      console.log('ready'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, passing(process.execPath, ['-e', script]), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await expect.poll(() => output).toBe('ready\n');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('ready\ngot it\n');
  });
});
