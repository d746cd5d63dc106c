import { homedir } from 'node:os';
import { HostError } from '../../core/host-error.ts';
import { findProgram } from '../find-program.ts';
import { processEnvironment } from '../process-environment.ts';
import type { OwnedProcess, Processes } from '../processes.ts';
import { limits } from './computer-engine.ts';
import { commandOf, findEntry } from './desktop-entries.ts';
import { msg } from '../../messages/index.ts';

/** Launched programs, which end with the host. */
export class LaunchedApps {
  private readonly processes: Processes;
  private readonly display: string;
  private readonly running = new Set<OwnedProcess>();

  constructor(processes: Processes, display: string) {
    this.processes = processes;
    this.display = display;
  }

  /** @throws HostError `unknown_app`, `needs_terminal`, `too_many_apps`, `spawn_failed` */
  async launch(app: string): Promise<OwnedProcess> {
    if (this.running.size >= limits.launched) throw tooMany();
    const [name = '', ...args] = await commandLineOf(app);
    const program = name.startsWith('/') ? name : await findProgram(name);
    if (program === null) throw unknownApp(app);
    const started = await this.processes.spawn({
      program,
      args,
      cwd: homedir(),
      env: { ...processEnvironment(), DISPLAY: this.display },
    });
    started.stdin.end();
    // The output is discarded, since a full pipe would block the program.
    started.stdout.resume();
    started.stderr.resume();
    this.running.add(started);
    void started.exited.then(() => this.running.delete(started));
    return started;
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((one) => one.terminate(2_000)));
  }
}

/** Resolves the name of a menu entry or of a program on the PATH; never a command line. */
async function commandLineOf(app: string): Promise<string[]> {
  const entry = await findEntry(app);
  if (entry) return commandOf(entry);
  if (!/^[\w.+-]+$/.test(app)) throw unknownApp(app);
  return [app];
}

function unknownApp(app: string): HostError {
  const message = msg('computer.unknownApp', { app: app.slice(0, 100) });
  return new HostError('missing', 'unknown_app', message);
}

function tooMany(): HostError {
  const message = msg('computer.tooManyApps', { limit: limits.launched });
  return new HostError('conflict', 'too_many_apps', message);
}
