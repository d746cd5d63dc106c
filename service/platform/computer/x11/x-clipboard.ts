import { HostError } from '../../../core/host-error.ts';
import { limits } from '../computer-engine.ts';
import { readProperty } from './properties.ts';
import { atoms, event, op, request, u16, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import { msg } from '../../../messages/index.ts';

/** Time for the owner of the clipboard to answer, in ms. */
const answerMs = 3_000;
const maxBytes = limits.clipboardCharacters * 4;
const propertyChange = 0x40_00_00;
const inputOnly = 2;
const textTypes = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'TEXT', 'STRING'];

interface Names {
  clipboard: number;
  targets: number;
  utf8: number;
  incr: number;
  own: number;
  texts: number[];
}

/**
 * The clipboard of the display: reads the text of other programs, and serves the text written here.
 */
export class XClipboard {
  private readonly x: XConnection;
  private readonly window: number;
  private readonly names: Names;
  private text: string | null = null;
  private reading: Promise<unknown> = Promise.resolve();

  private constructor(x: XConnection, window: number, names: Names) {
    this.x = x;
    this.window = window;
    this.names = names;
    x.events.subscribe((packet) => this.handlePacket(packet));
  }

  static async open(x: XConnection): Promise<XClipboard> {
    const window = x.newId();
    const about = [u32(window, x.setup.root), u16(0, 0, 1, 1, 0, inputOnly)];
    const mask = 0x8_00;
    x.send(request(op.createWindow, 0, ...about, u32(0, mask, propertyChange)));
    const [clipboard = 0, targets = 0, incr = 0, own = 0, ...texts] = await Promise.all(
      ['CLIPBOARD', 'TARGETS', 'INCR', 'PLUGIN_HOST_CLIPBOARD', ...textTypes].map((name) =>
        x.atom(name),
      ),
    );
    const names = { clipboard, targets, incr, own, texts, utf8: texts[0] ?? 0 };
    return new XClipboard(x, window, names);
  }

  /** @throws HostError `clipboard_taken` */
  async write(text: string): Promise<void> {
    this.text = text;
    const { window, names, x } = this;
    x.send(request(op.setSelectionOwner, 0, u32(window, names.clipboard, 0)));
    if ((await this.owner()) === window) return;
    const message = msg('computer.clipboardTaken');
    throw new HostError('conflict', 'clipboard_taken', message);
  }

  /** Reads run one after the other. Empty if the clipboard is empty or contains no text. */
  read(signal: AbortSignal): Promise<{ text: string; truncated?: true }> {
    const read = this.reading.then(() => this.readNow(signal));
    this.reading = read.catch(() => undefined);
    return read;
  }

  private async readNow(signal: AbortSignal): Promise<{ text: string; truncated?: true }> {
    signal.throwIfAborted();
    const owner = await this.owner();
    if (owner === 0) return { text: '' };
    if (owner === this.window && this.text !== null) return { text: this.text };
    const bytes = await this.fetch(signal);
    const text = bytes.toString('utf8');
    return text.length <= limits.clipboardCharacters
      ? { text }
      : { text: text.slice(0, limits.clipboardCharacters).toWellFormed(), truncated: true };
  }

  private async owner(): Promise<number> {
    const reply = await this.x.call(request(op.getSelectionOwner, 0, u32(this.names.clipboard)));
    return reply.readUInt32LE(8);
  }

  /** Requests the text from the owner; a long one arrives in pieces. */
  private async fetch(signal: AbortSignal): Promise<Buffer> {
    const { x, window, names } = this;
    const events = new EventReader(x, signal);
    try {
      x.send(request(op.deleteProperty, 0, u32(window, names.own)));
      x.send(
        request(op.convertSelection, 0, u32(window, names.clipboard, names.utf8, names.own, 0)),
      );
      const notification = await events.next(
        (packet) => kindOf(packet) === event.selectionNotify && packet.readUInt32LE(8) === window,
      );
      if (notification.readUInt32LE(20) === 0) return Buffer.alloc(0);
      const first = await readProperty(x, window, names.own, { maxBytes, remove: true });
      if (first.type !== names.incr) return first.value;
      const pieces: Buffer[] = [];
      for (let bytes = 0; bytes <= maxBytes;) {
        await events.next((packet) => this.isNewValue(packet));
        const { value } = await readProperty(x, window, names.own, { maxBytes, remove: true });
        if (value.length === 0) break;
        pieces.push(value);
        bytes += value.length;
      }
      return Buffer.concat(pieces);
    } finally {
      events.end();
    }
  }

  private isNewValue(packet: Buffer): boolean {
    const isOurs = packet.readUInt32LE(4) === this.window && packet[16] === 0;
    return (
      kindOf(packet) === event.propertyNotify && isOurs && packet.readUInt32LE(8) === this.names.own
    );
  }

  private handlePacket(packet: Buffer): void {
    const kind = kindOf(packet);
    if (kind === event.selectionClear) this.text = null;
    if (kind === event.selectionRequest) this.serve(packet);
  }

  /** Answers a request of another program that pastes. */
  private serve(packet: Buffer): void {
    const { x } = this;
    const [time = 0, , requestor = 0, selection = 0, target = 0, asked = 0] = fields(packet);
    const property = asked === 0 ? target : asked;
    const isStored = this.text === null ? false : this.keep(requestor, property, target, this.text);
    const notification = [
      u8(event.selectionNotify, 0),
      ...[u16(0), u32(time, requestor, selection, target, isStored ? property : 0, 0, 0)],
    ];
    x.send(request(op.sendEvent, 0, u32(requestor, 0), ...notification));
  }

  private keep(window: number, property: number, target: number, text: string): boolean {
    const { x, names } = this;
    const put = (type: number, format: number, count: number, bytes: Buffer): void =>
      x.send(
        request(
          op.changeProperty,
          0,
          u32(window, property, type),
          u8(format, 0, 0, 0),
          u32(count),
          bytes,
        ),
      );
    if (target === names.targets) {
      const targets = [names.targets, ...names.texts];
      put(atoms.atom, 32, targets.length, u32(...targets));
      return true;
    }
    if (!names.texts.includes(target)) return false;
    const bytes = Buffer.from(text, target === atoms.string ? 'latin1' : 'utf8');
    put(target, 8, bytes.length, bytes);
    return true;
  }
}

/** Event code without the flag of events sent by programs. */
const kindOf = (packet: Buffer): number => (packet[0] ?? 0) & 0x7f;

const fields = (packet: Buffer): number[] =>
  [4, 8, 12, 16, 20, 24].map((at) => packet.readUInt32LE(at));

/** Buffers events in order, from its creation until it is closed. */
class EventReader {
  private readonly packets: Buffer[] = [];
  private readonly signal: AbortSignal;
  private readonly leave: (() => void)[];
  private wake: () => void = () => undefined;

  constructor(x: XConnection, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const wake = (): void => this.wake();
    this.signal.addEventListener('abort', wake);
    this.leave = [
      x.events.subscribe((packet) => {
        this.packets.push(packet);
        this.wake();
      }),
      () => this.signal.removeEventListener('abort', wake),
    ];
  }

  /** @throws HostError `clipboard_silent` after the time limit */
  async next(matches: (packet: Buffer) => boolean): Promise<Buffer> {
    for (;;) {
      const packet = this.packets.shift();
      if (packet && matches(packet)) return packet;
      if (packet) continue;
      if (this.signal.aborted) throw silent();
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  end(): void {
    for (const leave of this.leave) leave();
  }
}

function silent(): HostError {
  const seconds = answerMs / 1_000;
  const message = msg('computer.clipboardSilent', { seconds });
  return new HostError('timeout', 'clipboard_silent', message);
}
