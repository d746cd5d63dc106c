import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../unavailable.ts';
import { msg } from '../../../messages/index.ts';

/** A parsed `DISPLAY` value. */
export interface DisplayAddress {
  /** The value as configured, such as `:1`. */
  name: string;
  number: number;
  screen: number;
  /** Addresses to try in order. */
  sockets: ({ path: string } | { host: string; port: number })[];
}

const tcpBase = 6_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Parses a value of `DISPLAY`.
 * @throws HostError `computer_use_unavailable` for one of another machine
 */
export function displayAddress(name: string): DisplayAddress {
  const parts = /^(.*):(\d{1,5})(?:\.(\d{1,3}))?$/.exec(name);
  if (!parts) throw unavailable(msg('computer.badDisplayName', { name: name.slice(0, 100) }));
  const [, host = '', numberText, screenText] = parts;
  const number = Number(numberText);
  const about = { name, number, screen: Number(screenText ?? 0) };
  if (host === '' || host === 'unix' || host.startsWith('unix/')) {
    const path = `/tmp/.X11-unix/X${number}`;
    // The second path is the abstract socket of Linux.
    return { ...about, sockets: [{ path }, { path: `\0${path}` }] };
  }
  if (!loopback.has(host))
    throw unavailable(msg('computer.foreignDisplay', { name: name.slice(0, 100) }));
  return {
    ...about,
    sockets: [{ host: host.replaceAll(/[[\]]/g, ''), port: tcpBase + number }],
  };
}

export interface XSecret {
  name: string;
  data: Buffer;
}

const cookie = 'MIT-MAGIC-COOKIE-1';
const localFamily = 256;
const wildFamily = 65_535;
const maxFileBytes = 1024 ** 2;

/**
 * Reads the authorization data from `XAUTHORITY`, otherwise `~/.Xauthority`; null if there is none.
 */
export async function secretOf(
  { number }: DisplayAddress,
  file = process.env['XAUTHORITY'] || join(homedir(), '.Xauthority'),
): Promise<XSecret | null> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null || bytes.length > maxFileBytes) return null;
  const fitting = [...entriesOf(bytes)].filter(
    (entry) => entry.name === cookie && (entry.number === '' || entry.number === String(number)),
  );
  const own = fitting.find(
    ({ family, address }) =>
      family === wildFamily || (family === localFamily && address === hostname()),
  );
  return own ?? fitting[0] ?? null;
}

function* entriesOf(bytes: Buffer) {
  let at = 0;
  const text = (): Buffer => {
    const length = bytes.readUInt16BE(at);
    const part = bytes.subarray(at + 2, at + 2 + length);
    at += 2 + length;
    return part;
  };
  try {
    while (at < bytes.length) {
      const family = bytes.readUInt16BE(at);
      at += 2;
      const [address, number, name] = [text(), text(), text()].map((part) => part.toString());
      yield { family, address, number, name: name ?? '', data: text() };
    }
  } catch {
    // A truncated file ends here.
  }
}
