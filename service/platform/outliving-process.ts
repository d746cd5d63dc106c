import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { HostError } from '../core/host-error.ts';
import { msg } from '../messages/index.ts';

/** A program that continues to run after this process has ended. */
export interface OutlivingSpec {
  /** Absolute. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** Receives its output. */
  logFile: string;
}

/**
 * Starts a program that continues after the host has ended, for replacing the host with an update.
 * Resolves once it runs. `exited` resolves with its exit if the host is still running. @throws
 * HostError `spawn_failed`
 */
export async function startOutliving(
  spec: OutlivingSpec,
): Promise<{ pid: number; exited: Promise<number | null> }> {
  const log = await open(spec.logFile, 'w', 0o600);
  try {
    const child = spawn(spec.program, [...spec.args], {
      cwd: spec.cwd,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const exited = new Promise<number | null>((resolve) => {
      child.once('exit', (code) => resolve(code));
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    return { pid: child.pid ?? 0, exited };
  } catch (cause) {
    const message = msg('updates.placerNotStarted', { program: spec.program });
    throw new HostError('upstream-failed', 'spawn_failed', message, { cause });
  } finally {
    await log.close();
  }
}
