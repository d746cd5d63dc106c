import { drawText, type TextPicture } from './draw-text.ts';
import { event, i16, op, request, u16, u32, u8 } from './requests.ts';
import type { Screen } from './x-screen.ts';
import type { XConnection } from './x-connection.ts';

const foreground = 0xff_ff_ff;
const background = 0xb0_20_20;
const font = 'fixed';
const visibilityChange = 0x1_00_00;
/**
 * Minimum time between two raises, in ms: two windows that both want to be on top would raise each
 * other endlessly.
 */
const raiseEveryMs = 500;
const shape = { rectangles: 1, input: 2 };

/**
 * A strip at the upper edge that shows that a model controls the computer. Clicks pass through it.
 */
export class XIndicator {
  private readonly x: XConnection;
  private readonly window: number;
  private readonly leave: () => void;
  private raisedMs = 0;

  private constructor(x: XConnection, window: number) {
    this.x = x;
    this.window = window;
    this.leave = x.events.subscribe((packet) => {
      const isOurs = packet.readUInt32LE(4) === window;
      if (packet[0] === event.visibilityNotify && isOurs && packet[8] !== 0) this.raise();
    });
  }

  static async show(
    x: XConnection,
    screen: Screen,
    { name, text, plainText }: IndicatorContent,
  ): Promise<XIndicator> {
    const picture =
      (await drawnBySystem(x, text, screen.scale)) ??
      (await drawnByServer(x, `  ${plainText}  `, Math.max(2, Math.round(2 * screen.scale))));
    const monitor = screen.monitors.find(({ primary }) => primary) ?? screen.monitors[0];
    const left = (monitor?.x ?? 0) + Math.max(0, ((monitor?.width ?? 0) - picture.width) >> 1);
    const window = x.newId();
    const mask = { backgroundPixmap: 0x1, overrideRedirect: 0x2_00, events: 0x8_00 };
    const inputOutput = 1;
    x.send(
      request(
        op.createWindow,
        ...[x.setup.depth, u32(window, x.setup.root), i16(left, monitor?.y ?? 0)],
        ...[u16(picture.width, picture.height, 0, inputOutput), u32(x.setup.visual)],
        u32(Object.values(mask).reduce((all, one) => all | one, 0)),
        u32(picture.pixmap, 1, visibilityChange),
      ),
    );
    x.send(request(op.freePixmap, 0, u32(picture.pixmap)));
    await nameWindow(x, window, name);
    const extension = await x.extension('SHAPE');
    if (extension)
      x.send(
        request(
          extension.opcode,
          ...[shape.rectangles, u8(0, shape.input, 0, 0), u32(window), i16(0, 0)],
        ),
      );
    await x.checked(request(op.mapWindow, 0, u32(window)));
    return new XIndicator(x, window);
  }

  hide(): void {
    this.leave();
    this.x.send(request(op.destroyWindow, 0, u32(this.window)));
  }

  private raise(): void {
    if (performance.now() - this.raisedMs < raiseEveryMs) return;
    this.raisedMs = performance.now();
    this.x.send(request(op.configureWindow, 0, u32(this.window), u16(0x40, 0), u32(0)));
  }
}

async function nameWindow(x: XConnection, window: number, name: string): Promise<void> {
  const [property, utf8] = [await x.atom('_NET_WM_NAME'), await x.atom('UTF8_STRING')];
  const bytes = Buffer.from(name);
  const about = [u32(window, property, utf8), u8(8, 0, 0, 0), u32(bytes.length), bytes];
  x.send(request(op.changeProperty, 0, ...about));
}

interface IndicatorContent {
  /** Title of the window. */
  name: string;
  text: string;
  /** In ASCII, for systems that cannot draw other text. */
  plainText: string;
}

interface Drawn {
  pixmap: number;
  width: number;
  height: number;
}

const fontSize = 15;

/** Null if the system has no means to draw it, or the display uses another pixel format. */
async function drawnBySystem(x: XConnection, text: string, scale: number): Promise<Drawn | null> {
  if (x.setup.depth !== 24 && x.setup.depth !== 32) return null;
  const size = Math.round(fontSize * Math.max(1, scale));
  const picture = await drawText(text, {
    font: `Sans Bold ${size}px`,
    color: foreground,
    background,
    padding: size,
  });
  if (picture === null) return null;
  const target = pixmapOf(x, picture);
  const gc = x.newId();
  x.send(request(op.createGc, 0, u32(gc, target, 0)));
  putPixels(x, target, gc, picture);
  x.send(request(op.freeGc, 0, u32(gc)));
  return { pixmap: target, width: picture.width, height: picture.height };
}

function putPixels(
  x: XConnection,
  pixmap: number,
  gc: number,
  { pixels, width, height }: TextPicture,
): void {
  const where = [u32(pixmap, gc), u16(width, height), i16(0, 0), u8(0, x.setup.depth, 0, 0)];
  x.send(request(op.putImage, 2, ...where, pixels));
}

/** Every server has a small ASCII font; its output is enlarged here. */
async function drawnByServer(x: XConnection, text: string, by: number): Promise<Drawn> {
  const [fontId, gc] = [x.newId(), x.newId()];
  x.send(request(op.openFont, 0, u32(fontId), u16(font.length, 0), Buffer.from(font)));
  const extents = await x.call(
    request(op.queryTextExtents, text.length & 1, u32(fontId), wide(text)),
  );
  const [ascent, descent] = [extents.readInt16LE(8), extents.readInt16LE(10)];
  const small = { width: extents.readInt32LE(16), height: ascent + descent + 6 };
  const pixmap = pixmapOf(x, small);
  const gcMask = { foreground: 0x4, background: 0x8, font: 0x40_00 };
  const gcParts = Object.values(gcMask).reduce((all, one) => all | one, 0);
  x.send(request(op.createGc, 0, u32(gc, pixmap, gcParts, background, background, fontId)));
  x.send(
    request(op.polyFillRectangle, 0, u32(pixmap, gc), i16(0, 0), u16(small.width, small.height)),
  );
  x.send(request(changeGc, 0, u32(gc, gcMask.foreground, foreground)));
  x.send(
    request(
      op.imageText8,
      text.length,
      u32(pixmap, gc),
      i16(0, ascent + 3),
      Buffer.from(text, 'latin1'),
    ),
  );
  const area = [i16(0, 0), u16(small.width, small.height), u32(0xff_ff_ff_ff)];
  const image = await x.call(request(op.getImage, 2, u32(pixmap), ...area));
  const large = { width: small.width * by, height: small.height * by };
  const target = pixmapOf(x, large);
  const pixels = enlarged(image.subarray(32), small, by);
  putPixels(x, target, gc, { pixels, ...large });
  for (const [opcode, id] of [
    [op.freeGc, gc],
    [op.closeFont, fontId],
    [op.freePixmap, pixmap],
  ] as const)
    x.send(request(opcode, 0, u32(id)));
  return { pixmap: target, ...large };
}

const changeGc = 56;

function pixmapOf(x: XConnection, { width, height }: { width: number; height: number }): number {
  const pixmap = x.newId();
  const about = [u32(pixmap, x.setup.root), u16(width, height)];
  x.send(request(op.createPixmap, x.setup.depth, ...about));
  return pixmap;
}

/** Two bytes per character, big-endian, as defined by the protocol. */
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

function enlarged(
  pixels: Buffer,
  { width, height }: { width: number; height: number },
  by: number,
): Buffer {
  const target = Buffer.alloc(width * height * by * by * 4);
  for (let y = 0; y < height * by; y += 1)
    for (let x = 0; x < width * by; x += 1) {
      const from = (Math.floor(y / by) * width + Math.floor(x / by)) * 4;
      pixels.copy(target, (y * width * by + x) * 4, from, from + 4);
    }
  return target;
}
