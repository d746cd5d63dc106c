import { spawnSync } from 'node:child_process';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function run(program: string, args: string[], env = process.env): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  return { code: status, stdout, stderr };
}
