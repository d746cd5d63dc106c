import { unavailable } from '../unavailable.ts';
import { i16, op, request, u32, u8 } from './requests.ts';
import type { XConnection } from './x-connection.ts';
import { msg } from '../../../messages/index.ts';

const kinds = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6 };
const xtest = { fakeInput: 2, grabControl: 3 };

/** Sends keys and buttons through XTEST, and tracks those that are pressed. */
export class XInput {
  private readonly x: XConnection;
  private readonly opcode: number;
  private readonly keys = new Set<number>();
  private readonly buttons = new Set<number>();

  private constructor(x: XConnection, opcode: number) {
    this.x = x;
    this.opcode = opcode;
  }

  /** @throws HostError `computer_use_unavailable` */
  static async open(x: XConnection): Promise<XInput> {
    const extension = await x.extension('XTEST');
    if (!extension) throw unavailable(msg('computer.noXtest'));
    // An open menu blocks other connections; this one is exempt.
    x.send(request(extension.opcode, xtest.grabControl, u8(1, 0, 0, 0)));
    return new XInput(x, extension.opcode);
  }

  move(x: number, y: number): void {
    this.fake(kinds.motion, 0, { x, y });
  }

  keyDown(keycode: number): void {
    this.keys.add(keycode);
    this.fake(kinds.keyPress, keycode);
  }

  keyUp(keycode: number): void {
    this.keys.delete(keycode);
    this.fake(kinds.keyRelease, keycode);
  }

  buttonDown(button: number): void {
    this.buttons.add(button);
    this.fake(kinds.buttonPress, button);
  }

  buttonUp(button: number): void {
    this.buttons.delete(button);
    this.fake(kinds.buttonRelease, button);
  }

  /** The physical button for a logical one; left-handed settings swap them. */
  async buttonFor(button: number): Promise<number> {
    const reply = await this.x.call(request(op.getPointerMapping, 0));
    const at = reply.subarray(32, 32 + (reply[1] ?? 0)).indexOf(button);
    return at === -1 ? button : at + 1;
  }

  /** Releases all pressed keys and buttons. */
  releaseAll(): void {
    for (const button of [...this.buttons]) this.buttonUp(button);
    for (const key of [...this.keys].toReversed()) this.keyUp(key);
  }

  private fake(kind: number, detail: number, { x, y } = { x: 0, y: 0 }): void {
    const where = [u32(0, this.x.setup.root, 0, 0), i16(x, y), u32(0, 0)];
    this.x.send(request(this.opcode, xtest.fakeInput, u8(kind, detail, 0, 0), ...where));
  }
}
