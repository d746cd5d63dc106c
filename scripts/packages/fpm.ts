#!/usr/bin/env node
// Replaces fpm, which electron-builder would download to build a deb or rpm from a folder.
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDeb, filesBelow } from './deb.ts';
import { newestSymbol } from './newest-symbol.ts';
import { buildRpm } from './rpm.ts';
import { metainfo, metainfoOf, packedChangelog, sourceTime } from './product.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    s: { ...text, short: 's' },
    t: { ...text, short: 't' },
    force: { type: 'boolean' },
    depends: { ...text, short: 'd', multiple: true },
    'deb-recommends': { ...text, multiple: true },
    'deb-compression': text,
    'deb-priority': text,
    'rpm-summary': text,
    'rpm-compression': text,
    'rpm-os': text,
    architecture: text,
    'after-install': text,
    'after-remove': text,
    description: text,
    version: text,
    package: text,
    name: text,
    maintainer: text,
    vendor: text,
    url: text,
    license: text,
    category: text,
    // Compression level; not an option of fpm.
    level: text,
  },
});

function needed(name: 'name' | 'version' | 'package' | 'architecture' | 'maintainer'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing.`);
  return value;
}

const script = (name: 'after-install' | 'after-remove'): string =>
  readFileSync(values[name] ?? '/dev/null', 'utf8');

const isRpm = values.t === 'rpm';
const folder = '/opt/Plugin Host';

/** Adds the files that distributions and software centers look for. */
function addDocuments(share: string, name: string): void {
  const write = (path: string, content: string | Buffer): void => {
    const file = join(share, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const own = readFileSync('LICENSE', 'utf8').trim();
  const others = 'The works of others inside are named, each with the words of its licence, in';
  const terms = `${own}\n\n${others}\n${folder}/resources/THIRD-PARTY-NOTICES and ${folder}/LICENSES.chromium.html.\n`;
  write(`metainfo/${metainfo}`, metainfoOf());
  if (isRpm) {
    write(`licenses/${name}/LICENSE`, terms);
    return;
  }
  write(`doc/${name}/copyright`, terms);
  write(`doc/${name}/changelog.gz`, packedChangelog());
  write(`lintian/overrides/${name}`, readFileSync('packaging/electron/lintian-overrides', 'utf8'));
}

/** Formats a description: the first line is the synopsis, a dot stands for an empty line. */
function described(description: string): string {
  const [first = '', ...rest] = description.trim().split('\n');
  return [first.trim(), ...rest.map((line) => ` ${line.trim() || '.'}`)].join('\n');
}

/** The oldest C library that every native file in the package runs on. */
function oldestLibc(root: string): string {
  const native = filesBelow(root)
    .map((path) => join(root, path))
    .filter(isNative);
  return newestSymbol(native, 'GLIBC');
}

function isNative(file: string): boolean {
  const opened = openSync(file, 'r');
  const start = Buffer.alloc(4);
  readSync(opened, start);
  closeSync(opened);
  return start.toString('latin1') === '\x7fELF';
}

function makeRpm(root: string): void {
  buildRpm({
    root,
    fields: {
      name: needed('name'),
      version: needed('version'),
      architecture: needed('architecture'),
      summary: values['rpm-summary'] ?? needed('name'),
      description: values.description ?? '',
      license: values.license ?? 'Proprietary',
      url: values.url ?? '',
      packager: needed('maintainer'),
      requires: [`libc.so.6(GLIBC_${oldestLibc(root)})(64bit)`, ...(values.depends ?? [])],
      recommends: ['bubblewrap', 'git', 'java-headless'],
      conflicts: ['plugin-host-lite'],
    },
    scripts: { post: script('after-install'), postun: script('after-remove') },
    time: sourceTime(),
    output: needed('package'),
    level: Number(values.level ?? 6),
  });
}

function makeDeb(root: string): void {
  buildDeb({
    root,
    fields: {
      package: needed('name'),
      version: needed('version'),
      architecture: needed('architecture'),
      maintainer: needed('maintainer'),
      section: values.category ?? 'utils',
      priority: values['deb-priority'] ?? 'optional',
      depends: [`libc6 (>= ${oldestLibc(root)})`, ...(values.depends ?? [])].join(', '),
      recommends: (values['deb-recommends'] ?? []).join(', '),
      conflicts: 'plugin-host-lite',
      replaces: 'plugin-host-lite',
      ...(values.url === undefined ? {} : { homepage: values.url }),
      description: described(values.description ?? ''),
    },
    scripts: { postinst: script('after-install'), postrm: script('after-remove') },
    time: sourceTime(),
    output: needed('package'),
    level: Number(values.level ?? 6),
  });
}

const root = mkdtempSync(join(tmpdir(), 'package-'));
try {
  for (const pair of positionals) {
    const [from = '', to = ''] = pair.split('=');
    const target = join(root, to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true });
  }
  addDocuments(join(root, 'usr', 'share'), needed('name'));
  if (isRpm) makeRpm(root);
  else makeDeb(root);
} finally {
  rmSync(root, { recursive: true, force: true });
}
