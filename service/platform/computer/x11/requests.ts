/** Requests of the X11 protocol, as bytes. */

const numbers =
  (bytes: number, write: (buffer: Buffer, value: number, at: number) => unknown) =>
  (...values: number[]): Buffer => {
    const buffer = Buffer.alloc(values.length * bytes);
    for (const [index, value] of values.entries()) write(buffer, value, index * bytes);
    return buffer;
  };

export const u8 = numbers(1, (buffer, value, at) => buffer.writeUInt8(value, at));
export const u16 = numbers(2, (buffer, value, at) => buffer.writeUInt16LE(value, at));
export const i16 = numbers(2, (buffer, value, at) => buffer.writeInt16LE(value, at));
export const u32 = numbers(4, (buffer, value, at) => buffer.writeUInt32LE(value >>> 0, at));

const paddingOf = (length: number): number => (4 - (length % 4)) % 4;

export const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.length))]);

const maxShortUnits = 0xffff;

/**
 * Builds a request. One that is too long for a 16-bit length gets a 32-bit length, as defined by
 * the BIG-REQUESTS extension.
 */
export function request(opcode: number, detail: number, ...parts: Buffer[]): Buffer {
  const body = padded(Buffer.concat(parts));
  const units = 1 + body.length / 4;
  const head =
    units <= maxShortUnits
      ? Buffer.concat([u8(opcode, detail), u16(units)])
      : Buffer.concat([u8(opcode, detail), u16(0), u32(units + 1)]);
  return Buffer.concat([head, body]);
}

/** A name preceded by its length. */
export const named = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([u16(bytes.length, 0), padded(bytes)]);
};

/** Opcodes by their names in the protocol. */
export const op = {
  createWindow: 1,
  changeWindowAttributes: 2,
  destroyWindow: 4,
  mapWindow: 8,
  configureWindow: 12,
  queryTree: 15,
  internAtom: 16,
  getAtomName: 17,
  changeProperty: 18,
  deleteProperty: 19,
  getProperty: 20,
  setSelectionOwner: 22,
  getSelectionOwner: 23,
  convertSelection: 24,
  sendEvent: 25,
  grabKey: 33,
  ungrabKey: 34,
  queryPointer: 38,
  setInputFocus: 42,
  getInputFocus: 43,
  openFont: 45,
  closeFont: 46,
  queryTextExtents: 48,
  createPixmap: 53,
  freePixmap: 54,
  createGc: 55,
  freeGc: 60,
  polyFillRectangle: 70,
  putImage: 72,
  getImage: 73,
  imageText8: 76,
  queryExtension: 98,
  changeKeyboardMapping: 100,
  getKeyboardMapping: 101,
  getPointerMapping: 117,
  getModifierMapping: 119,
} as const;

export const event = {
  keyPress: 2,
  visibilityNotify: 15,
  propertyNotify: 28,
  selectionClear: 29,
  selectionRequest: 30,
  selectionNotify: 31,
  clientMessage: 33,
  mappingNotify: 34,
} as const;

export const atoms = { atom: 4, cardinal: 6, string: 31, wmClass: 67, wmName: 39 } as const;
