import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { displayAddress } from '../../platform/computer/x11/display-address.ts';
import { i16, op, request, u16, u32, u8 } from '../../platform/computer/x11/requests.ts';
import { readNumbers } from '../../platform/computer/x11/properties.ts';
import { XConnection } from '../../platform/computer/x11/x-connection.ts';
import { XInput } from '../../platform/computer/x11/x-input.ts';
import { XKeyboard } from '../../platform/computer/x11/x-keyboard.ts';
import { findProgram } from '../../platform/find-program.ts';
import { processEnvironment } from '../../platform/process-environment.ts';
import { createProcesses, type OwnedProcess } from '../../platform/processes.ts';

/** An X server for tests. */
export interface TestDisplay {
  /** Such as `:5`. */
  name: string;
  /** A second client for the test itself. */
  x: XConnection;
  /** Starts a program on the display. */
  start(program: string, args?: readonly string[]): Promise<OwnedProcess>;
  /** Kills the X server. */
  kill(): void;
  /** Stops the X server without closing connections. */
  freeze(): void;
  close(): Promise<void>;
}

/** Options of the display. */
export interface DisplayOptions {
  size?: string;
  /** False for a display without a window manager. Default true. */
  managed?: boolean;
}

/** Starts an X server with a window manager on a free display number. */
export async function openDisplay(options: DisplayOptions = {}): Promise<TestDisplay> {
  const { size = '1280x800', managed = true } = options;
  const processes = createProcesses();
  const run = async (program: string, args: readonly string[], env = {}): Promise<OwnedProcess> => {
    const path = await findProgram(program);
    if (path === null) throw new Error(`${program} is not installed.`);
    const started = await processes.spawn({
      program: path,
      args,
      cwd: tmpdir(),
      env: { ...processEnvironment(), LC_ALL: 'C.UTF-8', ...env },
    });
    started.stderr.resume();
    return started;
  };
  const arguments_ = ['-displayfd', '1', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'];
  const server = await run('Xvfb', arguments_);
  const name = `:${await firstLine(server.stdout)}`;
  server.stdout.resume();
  const x = await XConnection.open(displayAddress(name));
  const start: TestDisplay['start'] = async (program, args = []) => {
    const started = await run(program, args, { DISPLAY: name });
    return started;
  };
  if (managed) {
    const manager = await start('openbox');
    manager.stdout.resume();
    await untilManaged(x);
  }
  return {
    name,
    x,
    start,
    kill: () => void process.kill(server.pid, 'SIGKILL'),
    freeze: () => void process.kill(server.pid, 'SIGSTOP'),
    async close() {
      x.close();
      await processes.close();
    },
  };
}

const managerMs = 30_000;

/** Waits until the window manager sees a test window, which means that it has started. */
async function untilManaged(x: XConnection): Promise<void> {
  const window = x.newId();
  const about = [u32(window, x.setup.root), i16(0, 0), u16(10, 10, 0, 1), u32(0, 0)];
  x.send(request(op.createWindow, 0, ...about));
  x.send(request(op.mapWindow, 0, u32(window)));
  const endMs = performance.now() + managerMs;
  while (!(await readNumbers(x, x.setup.root, '_NET_CLIENT_LIST')).includes(window)) {
    if (performance.now() > endMs) throw new Error('The window manager did not come.');
    // Some window managers check again only after an event.
    await setResources(x, '');
    await delay(20);
  }
  x.send(request(op.destroyWindow, 0, u32(window)));
  while ((await readNumbers(x, x.setup.root, '_NET_CLIENT_LIST')).includes(window)) await delay(20);
}

/** Sets the DPI as desktops do on high-resolution displays. */
export async function setDpi({ x }: TestDisplay, dpi: number): Promise<void> {
  await setResources(x, `Xft.dpi:\t${dpi}\n`);
}

async function setResources(x: XConnection, resources: string): Promise<void> {
  const text = Buffer.from(resources);
  const about = [u32(x.setup.root, await x.atom('RESOURCE_MANAGER'), 31), u8(8, 0, 0, 0)];
  await x.checked(request(op.changeProperty, 0, ...about, u32(text.length), text));
}

const setMonitor = 43;

/** Splits the screen into two monitors side by side. */
export async function splitScreen({ x }: TestDisplay): Promise<void> {
  const randr = await x.extension('RANDR');
  const { width, height, root } = x.setup;
  const half = width / 2;
  for (const [index, monitor] of ['LEFT-1', 'RIGHT-1'].entries()) {
    const info = Buffer.alloc(24);
    info.writeUInt32LE(await x.atom(monitor), 0);
    info[4] = index;
    info.writeInt16LE(index * half, 8);
    info.writeUInt16LE(half, 12);
    info.writeUInt16LE(height, 14);
    await x.checked(request(randr!.opcode, setMonitor, u32(root), info));
  }
}

async function firstLine(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\n')) return text.trim();
  }
  throw new Error('The X server did not start.');
}

/** Presses keys as a person does: all down, then all up. */
export async function pressKeys({ x }: TestDisplay, names: readonly string[]): Promise<void> {
  const input = await XInput.open(x);
  const keyboard = new XKeyboard(x, input);
  for (const name of names) input.keyDown(await keyboard.keycodeOfKey(name));
  input.releaseAll();
  await x.sync();
}
