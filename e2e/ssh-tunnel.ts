import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const server = '/usr/sbin/sshd';
/**
 * Privilege separation directory, required by a server that runs as root; usually created by its
 * service.
 */
const privileged = '/run/sshd';

/** Opens SSH tunnels. */
export interface Tunnels {
  /**
   * Runs `ssh -L <forward>`; resolves once it listens, and rejects with the output of ssh
   * otherwise.
   */
  open(forward: string): Promise<void>;
  close(): Promise<void>;
}

/** Prepares OpenSSH's own server and client with keys in `folder`, connected by pipes. */
export function prepareTunnels(folder: string): Tunnels {
  const isOurs = process.getuid?.() === 0 && !existsSync(privileged);
  if (isOurs) mkdirSync(privileged, { mode: 0o755 });
  const at = (name: string): string => join(folder, name);
  for (const name of ['server-key', 'own-key'])
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
  writeFileSync(at('authorized'), readFileSync(at('own-key.pub')));
  writeFileSync(at('known'), `server ${readFileSync(at('server-key.pub'), 'utf8')}`);
  for (const name of ['server-key', 'own-key', 'authorized']) chmodSync(at(name), 0o600);
  writeFileSync(
    at('server-config'),
    [
      `HostKey ${at('server-key')}`,
      `AuthorizedKeysFile ${at('authorized')}`,
      // The temporary folder is accessible to others, which sshd would refuse.
      'StrictModes no',
      'PidFile none',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      '',
    ].join('\n'),
  );
  const options = {
    ProxyCommand: `${server} -i -f ${at('server-config')}`,
    UserKnownHostsFile: at('known'),
    GlobalKnownHostsFile: 'none',
    StrictHostKeyChecking: 'yes',
    IdentityFile: at('own-key'),
    IdentitiesOnly: 'yes',
    BatchMode: 'yes',
    ExitOnForwardFailure: 'yes',
    PermitLocalCommand: 'yes',
    // Runs once the connection and the forwarding are established.
    LocalCommand: 'echo forwarded',
  };
  const running: ChildProcess[] = [];
  return {
    open: (forward) => {
      const optionArgs = Object.entries(options).flatMap(([name, value]) => [
        '-o',
        `${name}=${value}`,
      ]);
      const target = `${userInfo().username}@server`;
      const child = spawn('ssh', ['-F', 'none', '-N', ...optionArgs, '-L', forward, target], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.push(child);
      return untilForwarded(child);
    },
    async close() {
      for (const child of running.splice(0)) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }
      if (isOurs) rmdirSync(privileged);
    },
  };
}

function untilForwarded(child: ChildProcess): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (bytes: Buffer) => (complaint += bytes.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ssh ended with ${code}: ${complaint}`)));
  });
}
