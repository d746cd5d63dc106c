import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { ZipFile } from 'yazl';

/** Manifest of example packages, unless a test overrides it. */
export const exampleManifest = { id: 'acme.demo', name: 'Demo', version: '1.0.0' };
export const exampleFiles: Record<string, Content> = {
  'ui/index.html': '<!doctype html><title>Demo</title>',
  'backend/worker.jar': 'not really a jar',
};

export type Content = string | Buffer;

/** Path of an archive in `archives/`, by its name without `.plugin`. */
export function archiveFile(name: string): string {
  return fileURLToPath(new URL(`archives/${name}.plugin`, import.meta.url));
}

/** Options of `packPlugin`. */
export interface Packing {
  manifest?: Record<string, unknown>;
  /** Added to the example files; null removes one. A name that ends with `/` is a directory. */
  files?: Record<string, Content | null>;
  /** Options of yazl for each file, for example `{ compress: false }`. */
  options?: { compress?: boolean; forceZip64Format?: boolean; mode?: number };
  forceZip64End?: boolean;
  comment?: string;
}

/** Packs a valid package with an independent library. */
export async function packPlugin(packing: Packing = {}): Promise<Buffer> {
  const zip = new ZipFile();
  const manifest = JSON.stringify({ ...exampleManifest, ...packing.manifest });
  const files = { 'manifest.json': manifest, ...exampleFiles, ...packing.files };
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name, packing.options);
  }
  zip.end({ forceZip64Format: packing.forceZip64End ?? false, comment: packing.comment ?? '' });
  return buffer(zip.outputStream);
}

export async function writePackage(file: string, packing: Packing = {}): Promise<string> {
  await writeFile(file, await packPlugin(packing));
  return file;
}

/** Fields of an entry in the central directory and in the local header. */
export interface RawFields {
  name: Content;
  flags: number;
  method: number;
  crc32: number;
  compressedSize: number;
  size: number;
  extra: Buffer;
}

/** An entry of `rawZip`. */
export interface RawEntry {
  name: Content;
  content?: Content;
  /** Default true. */
  deflated?: boolean;
  /** Bytes instead of the compressed content. */
  body?: Buffer;
  /** Unix mode; default: a plain file, or a directory if the name ends with `/`. */
  mode?: number;
  /** All 32 bits of the attributes, instead of `mode`. */
  attributes?: number;
  /** Written in both headers. */
  both?: Partial<RawFields>;
  /** Written in the central directory only. */
  central?: Partial<RawFields> & { offset?: number };
  /** Written in the local header only. */
  local?: Partial<RawFields>;
  /** Bytes after the body. */
  behind?: Buffer;
  /** No local header and no body; `central.offset` points to other ones. */
  centralOnly?: boolean;
}

/** Parts of an archive besides its entries. */
export interface RawArchive {
  prefix?: Buffer;
  beforeTable?: Buffer;
  suffix?: Buffer;
  comment?: Buffer;
  /** Overrides fields of the end record. */
  end?: {
    count?: number;
    countHere?: number;
    tableBytes?: number;
    tableStart?: number;
    disk?: number;
  };
}

/** Writes an archive exactly as specified, even if it is invalid. */
export function rawZip(entries: RawEntry[], archive: RawArchive = {}): Buffer {
  const parts: Buffer[] = [archive.prefix ?? Buffer.alloc(0)];
  const table: Buffer[] = [];
  let offset = parts[0]?.length ?? 0;
  for (const entry of entries) {
    const { fields, body } = fieldsOf(entry);
    const central = { ...fields, ...entry.both, offset, ...entry.central };
    table.push(centralHeader(central, attributesOf(entry)));
    if (entry.centralOnly) continue;
    const local = localHeader({ ...fields, ...entry.both, ...entry.local });
    for (const part of [local, body, entry.behind ?? Buffer.alloc(0)]) {
      parts.push(part);
      offset += part.length;
    }
  }
  const beforeTable = archive.beforeTable ?? Buffer.alloc(0);
  const tableBytes = table.reduce((sum, part) => sum + part.length, 0);
  const tableStart = offset + beforeTable.length;
  const end = endRecord({ count: entries.length, tableBytes, tableStart }, archive);
  return Buffer.concat([...parts, beforeTable, ...table, end, archive.suffix ?? Buffer.alloc(0)]);
}

/** The entries of the example package, to add a hostile one. */
export function rawExample(manifest: Content = JSON.stringify(exampleManifest)): RawEntry[] {
  return Object.entries({ 'manifest.json': manifest, ...exampleFiles }).map(([name, content]) => ({
    name,
    content,
  }));
}

/** Returns a data descriptor as streaming packers write it. */
export function descriptor(
  facts: { crc32: number; compressedSize: number; size: number },
  shape: { signed: boolean; wide: boolean },
): Buffer {
  const signature = shape.signed ? [u32(0x08074b50)] : [];
  const number = shape.wide ? u64 : u32;
  const sizes = [number(facts.compressedSize), number(facts.size)];
  return Buffer.concat([...signature, u32(facts.crc32), ...sizes]);
}

/** Returns the values that `rawZip` writes for content by default. */
export function factsOf(content: Content): { crc32: number; compressedSize: number; size: number } {
  const bytes = Buffer.from(content);
  const compressedSize = deflateRawSync(bytes).length;
  return { crc32: crc32(bytes), compressedSize, size: bytes.length };
}

export function extraField(id: number, data: Buffer): Buffer {
  return Buffer.concat([u16(id), u16(data.length), data]);
}

function fieldsOf(entry: RawEntry): { fields: RawFields; body: Buffer } {
  const content = Buffer.from(entry.content ?? '');
  const deflated = entry.deflated ?? !Buffer.from(entry.name).toString('latin1').endsWith('/');
  const body = entry.body ?? (deflated ? deflateRawSync(content) : content);
  const fields = {
    name: entry.name,
    flags: 0x800,
    method: deflated ? 8 : 0,
    crc32: crc32(content),
    compressedSize: body.length,
    size: content.length,
    extra: Buffer.alloc(0),
  };
  return { fields, body };
}

function attributesOf(entry: RawEntry): number {
  if (entry.attributes !== undefined) return entry.attributes;
  const directory = Buffer.from(entry.name).toString('latin1').endsWith('/');
  return ((entry.mode ?? (directory ? 0o40755 : 0o100644)) << 16) >>> 0;
}

function commonFields(fields: RawFields): Buffer[] {
  const name = Buffer.from(fields.name);
  return [
    ...[20, fields.flags, fields.method, 0, 0x21].map(u16),
    ...[fields.crc32, fields.compressedSize, fields.size].map(u32),
    ...[name.length, fields.extra.length].map(u16),
  ];
}

function localHeader(fields: RawFields): Buffer {
  const tail = [Buffer.from(fields.name), fields.extra];
  return Buffer.concat([u32(0x04034b50), ...commonFields(fields), ...tail]);
}

function centralHeader(fields: RawFields & { offset: number }, attributes: number): Buffer {
  return Buffer.concat([
    u32(0x02014b50),
    u16(0x031e),
    ...commonFields(fields),
    ...[0, 0, 0].map(u16),
    ...[attributes, fields.offset].map(u32),
    Buffer.from(fields.name),
    fields.extra,
  ]);
}

function endRecord(
  real: { count: number; tableBytes: number; tableStart: number },
  { end = {}, comment = Buffer.alloc(0) }: RawArchive,
): Buffer {
  const fields = { disk: 0, countHere: end.count ?? real.count, ...real, ...end };
  return Buffer.concat([
    u32(0x06054b50),
    ...[fields.disk, 0, fields.countHere, fields.count].map(u16),
    ...[fields.tableBytes, fields.tableStart].map(u32),
    u16(comment.length),
    comment,
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
