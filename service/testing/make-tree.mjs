// A separate process, because it changes its directory at each level: the full path would be too
// long.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';

const [, , kind, folder, count] = process.argv;

const kinds = {
  deep() {
    for (let level = 0; level < Number(count); level += 1) {
      if (level % 100 === 0) fs.writeFileSync('file', 'on the way');
      fs.mkdirSync('level');
      process.chdir('level');
    }
    fs.writeFileSync('last', 'at the end');
  },
  many() {
    for (let made = 0; made < Number(count); made += 1) {
      const part = `part-${made - (made % 1_000)}`;
      if (made % 1_000 === 0) fs.mkdirSync(part);
      fs.closeSync(fs.openSync(`${part}/file-${made}`, 'w'));
    }
  },
  flat() {
    for (let made = 0; made < Number(count); made += 1) fs.closeSync(fs.openSync(`${made}`, 'w'));
  },
  wide() {
    for (let made = 0; made < Number(count); made += 1) fs.mkdirSync(`${made}`);
  },
  bytes() {
    const names = [
      [0x63, 0x61, 0x66, 0xe9],
      [0xff, 0xfe],
      [0x68, 0xc3],
      [0xed, 0xa0, 0x80],
    ];
    for (const name of names) {
      fs.writeFileSync(Buffer.from(name), 'content');
      fs.mkdirSync(Buffer.from([...name, 0x64]));
      fs.writeFileSync(Buffer.from([...name, 0x64, 0x2f, 0x61]), 'content');
    }
  },
  special() {
    execFileSync('mkfifo', ['pipe']);
    fs.symlinkSync('.', 'circle');
    fs.symlinkSync('/', 'everything');
    fs.symlinkSync('nowhere', 'nothing');
    for (const [name, mode] of Object.entries({
      shut: 0,
      unwritable: 0o555,
      unsearchable: 0o600,
    })) {
      fs.mkdirSync(`${name}/inner`, { recursive: true });
      fs.writeFileSync(`${name}/file`, 'content');
      fs.chmodSync(name, mode);
    }
    // A socket file that a process leaves behind when it exits.
    createServer().listen('socket', () => process.exit());
  },
  /** A sparse file of 400 GB. */
  hollow() {
    fs.closeSync(fs.openSync('hollow', 'w'));
    fs.truncateSync('hollow', 400e9);
  },
};

fs.mkdirSync(folder, { recursive: true });
process.chdir(folder);
kinds[kind]();
