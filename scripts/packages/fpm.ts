#!/usr/bin/env node
// Stands in the place of fpm, which electron-builder would download to make a deb of a folder.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDeb } from './deb.ts';
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
    // Not of fpm: how hard the archive is pressed.
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

/** Files that Debian and software centers look for. */
function addDocuments(share: string, name: string): void {
  const write = (path: string, content: string | Buffer): void => {
    const file = join(share, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const own = readFileSync('LICENSE', 'utf8').trim();
  const others = 'The works of others inside are named, each with the words of its licence, in';
  const folder = '/opt/Plugin Host';
  write(
    `doc/${name}/copyright`,
    `${own}\n\n${others}\n${folder}/resources/THIRD-PARTY-NOTICES and ${folder}/LICENSES.chromium.html.\n`,
  );
  write(`doc/${name}/changelog.gz`, packedChangelog());
  write(`lintian/overrides/${name}`, readFileSync('packaging/electron/lintian-overrides', 'utf8'));
  write(`metainfo/${metainfo}`, metainfoOf());
}

/** The first line is the synopsis, a blank one a dot. */
function described(description: string): string {
  const [first = '', ...rest] = description.trim().split('\n');
  return [first.trim(), ...rest.map((line) => ` ${line.trim() || '.'}`)].join('\n');
}

const root = mkdtempSync(join(tmpdir(), 'deb-'));
try {
  for (const pair of positionals) {
    const [from = '', to = ''] = pair.split('=');
    const target = join(root, to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true });
  }
  addDocuments(join(root, 'usr', 'share'), needed('name'));
  buildDeb({
    root,
    fields: {
      package: needed('name'),
      version: needed('version'),
      architecture: needed('architecture'),
      maintainer: needed('maintainer'),
      section: values.category ?? 'utils',
      priority: values['deb-priority'] ?? 'optional',
      depends: (values.depends ?? []).join(', '),
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
} finally {
  rmSync(root, { recursive: true, force: true });
}
