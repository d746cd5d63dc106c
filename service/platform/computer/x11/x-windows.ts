import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import type { ComputerApp } from '../computer-engine.ts';
import { readNumbers, readProperty, readText } from './properties.ts';
import { atoms, event, op, request, u16, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import { msg } from '../../../messages/index.ts';

const maxWindows = 200;
const maxTitle = 500;
const activateMs = 3_000;
const pollMs = 20;
const isPager = 2;
const substructure = 0x18_00_00;

/**
 * Windows of programs, as listed by the window manager; without one, the windows that have a name.
 */
export async function appsOf(x: XConnection): Promise<ComputerApp[]> {
  const [windows, active, managed] = await Promise.all([
    clientWindows(x),
    activeWindow(x),
    isManaged(x),
  ]);
  const apps = await Promise.all(
    windows.slice(-maxWindows).map((window) =>
      appOf(x, window, active).catch((error: unknown) => {
        if (error instanceof HostError && error.code === 'x11_error') return null;
        throw error;
      }),
    ),
  );
  // Without a window manager, internal windows of programs are listed as well; they have no name.
  return apps.filter((app) => app !== null).filter(({ name }) => managed || name !== '');
}

export async function clientWindows(x: XConnection): Promise<number[]> {
  const { root } = x.setup;
  if (await isManaged(x)) return readNumbers(x, root, '_NET_CLIENT_LIST');
  const tree = await x.call(request(op.queryTree, 0, u32(root)));
  return Array.from({ length: tree.readUInt16LE(16) }, (_, at) => tree.readUInt32LE(32 + at * 4));
}

const isManaged = async (x: XConnection): Promise<boolean> =>
  (await readNumbers(x, x.setup.root, '_NET_SUPPORTING_WM_CHECK')).length > 0;

export async function activeWindow(x: XConnection): Promise<number> {
  const [activeId = 0] = await readNumbers(x, x.setup.root, '_NET_ACTIVE_WINDOW');
  if (activeId !== 0) return activeId;
  return (await x.call(request(op.getInputFocus, 0))).readUInt32LE(8);
}

/** Null for a window that does not belong to a program: a panel, the desktop, a menu. */
async function appOf(x: XConnection, window: number, active: number): Promise<ComputerApp | null> {
  const [kinds, classes, title, oldTitle, pids] = await Promise.all([
    readNumbers(x, window, '_NET_WM_WINDOW_TYPE'),
    readProperty(x, window, atoms.wmClass),
    readText(x, window, '_NET_WM_NAME'),
    readProperty(x, window, atoms.wmName),
    readNumbers(x, window, '_NET_WM_PID'),
  ]);
  const ignoredKinds = await Promise.all(
    ['DOCK', 'DESKTOP'].map((kind) => x.atom(`_NET_WM_WINDOW_TYPE_${kind}`)),
  );
  const [instance = '', name = instance] = classes.value.toString('utf8').split('\0');
  if (kinds.some((kind) => ignoredKinds.includes(kind))) return null;
  const [pid] = pids;
  const windowTitle = title === '' ? oldTitle.value.toString('latin1') : title;
  return {
    id: idOf(window),
    name: name || instance,
    title: windowTitle.slice(0, maxTitle).toWellFormed(),
    ...(pid === undefined ? {} : { pid }),
    active: window === active,
  };
}

const idOf = (window: number): string => `0x${window.toString(16)}`;

/**
 * Brings a window to the front and gives it the focus.
 * @throws HostError `unknown_app`, `not_activated`
 */
export async function activate(x: XConnection, id: string, signal: AbortSignal): Promise<void> {
  const windows = await clientWindows(x);
  const window = windows.find((one) => idOf(one) === id.toLowerCase());
  if (window === undefined) throw unknownApp(id);
  const { root } = x.setup;
  if (await isManaged(x)) {
    const kind = await x.atom('_NET_ACTIVE_WINDOW');
    const message = [u8(event.clientMessage, 32), u16(0), u32(window, kind, isPager, 0, 0, 0, 0)];
    x.send(request(op.sendEvent, 0, u32(root, substructure), ...message));
  } else await raise(x, window);
  const beforeMs = performance.now() + activateMs;
  while ((await activeWindow(x)) !== window) {
    if (performance.now() > beforeMs) throw notActivated();
    await delay(pollMs, undefined, { signal });
  }
}

async function raise(x: XConnection, window: number): Promise<void> {
  const above = 0;
  x.send(request(op.configureWindow, 0, u32(window), u16(0x40, 0), u32(above)));
  const parent = 2;
  await x.checked(request(op.setInputFocus, parent, u32(window, 0))).catch(() => undefined);
}

function unknownApp(id: string): HostError {
  const message = msg('computer.windowGone', { id: id.slice(0, 60) });
  return new HostError('missing', 'unknown_app', message);
}

function notActivated(): HostError {
  const message = msg('computer.notActivated');
  return new HostError('conflict', 'not_activated', message);
}
