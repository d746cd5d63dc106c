import { spawnSync } from 'node:child_process';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function run(program: string, args: string[], env = process.env): CommandResult {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
  return { code: status, stdout, stderr };
}
