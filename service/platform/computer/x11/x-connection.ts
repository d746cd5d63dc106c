import { connect, type Socket } from 'node:net';
import { HostError } from '../../../core/host-error.ts';
import { Topic } from '../../../core/topic.ts';
import { unavailable } from '../unavailable.ts';
import { type DisplayAddress, secretOf } from './display-address.ts';
import { Packets } from './packets.ts';
import { named, op, request, u32 } from './requests.ts';
import {
  setupRequest,
  setupHeaderBytes,
  setupRestBytes,
  readSetup,
  type XSetup,
} from './x-setup.ts';
import { msg } from '../../../messages/index.ts';

const connectMs = 3_000;
const answerMs = 5_000;

/** An available extension of the X server. */
export interface XExtension {
  opcode: number;
}

interface Pending {
  resolve: (packet: Buffer) => void;
  reject: (error: Error) => void;
}

/** A connection to an X server: requests in order, with their replies, and events. */
export class XConnection {
  readonly setup: XSetup;
  readonly events = new Topic<Buffer>();
  /** Published once, with the reason, when the connection ends. */
  readonly ended = new Topic<HostError>();
  private readonly socket: Socket;
  private readonly display: string;
  private readonly pending = new Map<number, Pending>();
  private readonly atoms = new Map<string, Promise<number>>();
  private readonly extensions = new Map<string, Promise<XExtension | null>>();
  private sequence = 0;
  private ids = 0;
  private over: HostError | null = null;

  private constructor(socket: Socket, display: string, setup: XSetup) {
    this.socket = socket;
    this.display = display;
    this.setup = setup;
    const packets = new Packets({
      headBytes: 32,
      restOf: (head) => (head[0] === 1 || head[0] === 35 ? head.readUInt32LE(4) * 4 : 0),
      onPacket: (packet) => this.take(packet),
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        packets.push(chunk);
      } catch {
        this.end(unavailable(msg('computer.displaySentTooMuch', { display })));
      }
    });
    socket.on('error', () => this.end(this.connectionLost()));
    socket.on('close', () => this.end(this.connectionLost()));
  }

  /** @throws HostError `computer_use_unavailable` */
  static async open(address: DisplayAddress): Promise<XConnection> {
    const secret = await secretOf(address);
    const socket = await connectTo(address);
    try {
      const setup = await handshake(socket, address, setupRequest(secret));
      const connection = new XConnection(socket, address.name, setup);
      // Required by long clipboard texts and by the image of the indicator.
      const big = await connection.extension('BIG-REQUESTS');
      if (big) await connection.call(request(big.opcode, 0));
      return connection;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  get isOver(): boolean {
    return this.over !== null;
  }

  /** Allocates a resource id. */
  newId(): number {
    this.ids += 1;
    return (this.setup.idBase | (this.ids & this.setup.idMask)) >>> 0;
  }

  /** Sends a request without a reply; its errors are ignored. */
  send(bytes: Buffer): void {
    this.sequence = (this.sequence + 1) & 0xff_ff;
    if (this.over === null) this.socket.write(bytes);
  }

  /** @throws HostError `x11_error`, `computer_use_unavailable` */
  async call(bytes: Buffer): Promise<Buffer> {
    this.send(bytes);
    return this.answer(this.sequence);
  }

  /**
   * Sends a request without a reply, and resolves when the server has processed it.
   * @throws HostError `x11_error`
   */
  async checked(bytes: Buffer): Promise<void> {
    this.send(bytes);
    const { sequence } = this;
    const failed = new Promise<never>((_, reject) =>
      this.pending.set(sequence, { reject, resolve: () => undefined }),
    );
    failed.catch(() => undefined);
    try {
      await Promise.race([failed, this.sync()]);
    } finally {
      this.pending.delete(sequence);
    }
  }

  /** Resolves when the server has processed all earlier requests. */
  async sync(): Promise<void> {
    await this.call(request(op.getInputFocus, 0));
  }

  atom(name: string): Promise<number> {
    const cached = this.atoms.get(name);
    if (cached) return cached;
    const asked = this.call(request(op.internAtom, 0, named(name))).then((reply) =>
      reply.readUInt32LE(8),
    );
    this.atoms.set(name, asked);
    return asked;
  }

  extension(name: string): Promise<XExtension | null> {
    const cached = this.extensions.get(name);
    if (cached) return cached;
    const asked = this.call(request(op.queryExtension, 0, named(name))).then((reply) =>
      reply[8] === 1 ? { opcode: reply[9] ?? 0 } : null,
    );
    this.extensions.set(name, asked);
    return asked;
  }

  async nameOf(atom: number): Promise<string> {
    const reply = await this.call(request(op.getAtomName, 0, u32(atom)));
    return reply.toString('latin1', 32, 32 + reply.readUInt16LE(8));
  }

  close(): void {
    this.end(unavailable(msg('computer.displayClosed')));
  }

  private async answer(sequence: number): Promise<Buffer> {
    if (this.over !== null) throw this.over;
    const timer = setTimeout(() => {
      const seconds = answerMs / 1_000;
      const message = msg('computer.displayTimedOut', { display: this.display, seconds });
      this.end(unavailable(message));
    }, answerMs);
    try {
      return await new Promise((resolve, reject) =>
        this.pending.set(sequence, { resolve, reject }),
      );
    } finally {
      clearTimeout(timer);
      this.pending.delete(sequence);
    }
  }

  private take(packet: Buffer): void {
    const [kind = 0] = packet;
    if (kind > 1) {
      this.events.publish(packet);
      return;
    }
    const asked = this.pending.get(packet.readUInt16LE(2));
    if (kind === 1) asked?.resolve(packet);
    else asked?.reject(xError(packet));
  }

  private connectionLost(): HostError {
    return unavailable(msg('computer.namedDisplayLost', { display: this.display }));
  }

  private end(why: HostError): void {
    if (this.over !== null) return;
    this.over = why;
    this.socket.destroy();
    for (const { reject } of this.pending.values()) reject(why);
    this.pending.clear();
    this.ended.publish(why);
  }
}

const badAccess = 10;

function xError(packet: Buffer): HostError {
  const code = packet[1] ?? 0;
  const message = msg('computer.displayRefused', { request: packet[10] ?? 0, code });
  return code === badAccess
    ? new HostError('conflict', 'x11_taken', message)
    : new HostError('conflict', 'x11_error', message);
}

async function connectTo({ name, sockets }: DisplayAddress): Promise<Socket> {
  for (const address of sockets) {
    const socket = connect({ ...address, timeout: connectMs });
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('timeout', () => resolve(false));
    });
    if (open) return socket.setTimeout(0);
    socket.destroy();
  }
  throw noAnswer(name);
}

const noAnswer = (name: string): HostError => unavailable(msg('computer.displaySilent', { name }));

function handshake(socket: Socket, address: DisplayAddress, requestBytes: Buffer): Promise<XSetup> {
  const { promise, resolve, reject } = Promise.withResolvers<XSetup>();
  const fail = (): void => reject(noAnswer(address.name));
  const timer = setTimeout(fail, connectMs);
  const packets = new Packets({
    headBytes: setupHeaderBytes,
    restOf: setupRestBytes,
    onPacket(answer) {
      try {
        resolve(readSetup(answer, address.screen, address.name));
      } catch (error) {
        reject(error);
      }
    },
  });
  const onData = (chunk: Buffer): void => packets.push(chunk);
  socket.on('data', onData).once('error', fail).once('close', fail);
  socket.write(requestBytes);
  return promise.finally(() => {
    clearTimeout(timer);
    socket.off('data', onData).off('error', fail).off('close', fail);
  });
}
