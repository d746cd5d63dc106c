import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const program = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const startMs = 60_000;
const flags = [
  ...['--headless', '--no-sandbox', '--remote-debugging-port=0', '--no-first-run', '--disable-gpu'],
  // As in Electron: no back/forward cache, and no form data sent to servers.
  ...['--disable-back-forward-cache', '--disable-features=AutofillServerCommunication'],
  ...['--disable-background-networking', '--disable-sync', '--disable-extensions'],
  ...['--hide-scrollbars', '--disable-dev-shm-usage', '--disable-component-update'],
  ...['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--dns-prefetch-disable'],
];

interface Answer {
  id?: number;
  method?: string;
  params?: object;
  sessionId?: string;
  result?: object;
  error?: { message: string };
}

/**
 * A separate Chromium, driven directly by the DevTools protocol. Emits each event under its session
 * id.
 */
export class RawChromium extends EventEmitter {
  private readonly child: ChildProcess;
  private readonly folder: string;
  private readonly socket: WebSocket;
  private readonly pending = new Map<number, PromiseWithResolvers<object>>();
  private last = 0;

  static async start(): Promise<RawChromium> {
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-pages-'));
    const args = [...flags, `--user-data-dir=${folder}`, 'about:blank'];
    // A session of its own identifies all its processes.
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    const address = await addressOf(join(folder, 'DevToolsActivePort'));
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new RawChromium(child, folder, socket);
  }

  private constructor(child: ChildProcess, folder: string, socket: WebSocket) {
    super();
    this.setMaxListeners(0);
    [this.child, this.folder, this.socket] = [child, folder, socket];
    socket.addEventListener('message', ({ data }) => this.take(JSON.parse(String(data)) as Answer));
    process.once('exit', () => this.kill());
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<object> {
    const id = (this.last += 1);
    const answer = Promise.withResolvers<object>();
    this.pending.set(id, answer);
    this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    return answer.promise;
  }

  /** Processes of the pages, with their memory in bytes. */
  renderers(): { pid: number; bytes: number }[] {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'latin1');
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        if (Number(fields[3]) !== this.child.pid) return [];
        const isPage = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('--type=renderer');
        return isPage ? [{ pid: Number(name), bytes: Number(fields[21]) * 4_096 }] : [];
      } catch {
        return [];
      }
    });
  }

  async close(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.kill();
    await gone;
    for (const { reject } of this.pending.values()) reject(new Error('Chromium is gone.'));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private kill(): void {
    try {
      process.kill(-(this.child.pid ?? 0), 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }

  private take({ id, method, params, sessionId = '', result, error }: Answer): void {
    if (method !== undefined) return void this.emit(`-${sessionId}`, method, params ?? {});
    const answer = this.pending.get(id ?? 0);
    this.pending.delete(id ?? 0);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result ?? {});
  }
}

async function addressOf(file: string): Promise<string> {
  const end = performance.now() + startMs;
  for (;;) {
    const [port, path] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (port && path) return `ws://127.0.0.1:${port}${path}`;
    if (performance.now() > end) throw new Error('Chromium did not start.');
    await delay(20);
  }
}
