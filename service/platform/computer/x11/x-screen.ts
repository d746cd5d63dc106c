import type { ComputerDisplay, Point, Screenshot } from '../computer-engine.ts';
import { stripRows } from '../encode-png.ts';
import { pictureOf } from '../picture.ts';
import { findDisplay, outsideScreenError } from '../display-errors.ts';
import { unavailable } from '../unavailable.ts';
import { readText } from './properties.ts';
import { i16, op, request, u16, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import { msg } from '../../../messages/index.ts';

/** A monitor of the screen, in pixels. */
interface Monitor {
  id: string;
  primary: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

const monitorsSince = 1_005;
const randr = { queryVersion: 0, getMonitors: 42 };

/** The monitors of the screen, in pixels, and the number of pixels for each point. */
export interface Screen {
  monitors: Monitor[];
  scale: number;
}

export async function screenOf(x: XConnection): Promise<Screen> {
  const [monitors, scale] = await Promise.all([monitorsOf(x), scaleOf(x)]);
  return { monitors, scale };
}

async function monitorsOf(x: XConnection): Promise<Monitor[]> {
  const { width, height, root } = x.setup;
  const whole = [{ id: 'screen', primary: true, x: 0, y: 0, width, height }];
  const extension = await x.extension('RANDR');
  if (!extension) return whole;
  const { opcode } = extension;
  const version = await x.call(request(opcode, randr.queryVersion, u32(1, 5)));
  if (version.readUInt32LE(8) * 1_000 + version.readUInt32LE(12) < monitorsSince) return whole;
  const reply = await x.call(request(opcode, randr.getMonitors, u32(x.setup.root), u8(1, 0, 0, 0)));
  const found = await Promise.all(
    [...monitorsIn(reply)].map(async ({ name, ...monitor }) => ({
      id: await x.nameOf(name),
      ...monitor,
    })),
  );
  if (found.length > 0) return found;
  const size = await x.call(request(geometry, 0, u32(root)));
  return whole.map((one) => ({
    ...one,
    width: size.readUInt16LE(16),
    height: size.readUInt16LE(18),
  }));
}

const geometry = 14;

function* monitorsIn(reply: Buffer) {
  let at = 32;
  for (let index = 0; index < reply.readUInt32LE(12); index += 1) {
    yield {
      name: reply.readUInt32LE(at),
      primary: reply[at + 4] === 1,
      x: reply.readInt16LE(at + 8),
      y: reply.readInt16LE(at + 10),
      width: reply.readUInt16LE(at + 12),
      height: reply.readUInt16LE(at + 14),
    };
    at += 24 + reply.readUInt16LE(at + 6) * 4;
  }
}

const defaultDpi = 96;

/** The scale that desktops set for all programs, since X itself only has pixels. */
async function scaleOf(x: XConnection): Promise<number> {
  const resources = await readText(x, x.setup.root, 'RESOURCE_MANAGER');
  const dpi = Number(/^Xft\.dpi:[ \t]*(\d+(?:\.\d+)?)/m.exec(resources)?.[1] ?? defaultDpi);
  return Math.min(8, Math.max(0.5, Math.round((dpi / defaultDpi) * 100) / 100));
}

export const displaysOf = ({ monitors, scale }: Screen): ComputerDisplay[] =>
  monitors.map(({ id, primary, ...bounds }) => ({
    id,
    scale,
    primary,
    x: Math.round(bounds.x / scale),
    y: Math.round(bounds.y / scale),
    width: Math.round(bounds.width / scale),
    height: Math.round(bounds.height / scale),
  }));

/**
 * Converts a point to pixels.
 * @throws HostError `outside_screen`
 */
export function pixelOf(screen: Screen, point: Point): Point {
  const x = Math.round(point.x * screen.scale);
  const y = Math.round(point.y * screen.scale);
  const isVisible = screen.monitors.some(
    (one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height,
  );
  if (isVisible) return { x, y };
  throw outsideScreenError(point, displaysOf(screen));
}

export const pointOf = ({ scale }: Screen, { x, y }: Point): Point => ({
  x: Math.round(x / scale),
  y: Math.round(y / scale),
});

const zPixmap = 2;

/** @throws HostError `unknown_display` */
export async function takeScreenshot(
  x: XConnection,
  options: { display?: string },
): Promise<Screenshot> {
  if (!x.setup.isTrueColor) throw unavailable(msg('computer.noColours'));
  const { monitors, scale } = await screenOf(x);
  const monitor = findDisplay(monitors, options.display);
  const { id: display, width, height } = monitor;
  return pictureOf({ width, height, strips: stripsOf(x, monitor) }, { display, scale });
}

/** All strips are requested at once; each is converted while the next one arrives. */
function stripsOf(x: XConnection, { x: left, y: top, width, height }: Monitor): Promise<Buffer>[] {
  const strips: Promise<Buffer>[] = [];
  for (let row = 0; row < height; row += stripRows) {
    const area = [i16(left, top + row), u16(width, Math.min(stripRows, height - row))];
    const asked = x.call(
      request(op.getImage, zPixmap, u32(x.setup.root), ...area, u32(0xff_ff_ff_ff)),
    );
    const strip = asked.then((reply) => reply.subarray(32));
    strip.catch(() => undefined);
    strips.push(strip);
  }
  return strips;
}
