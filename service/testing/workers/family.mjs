// A process with descendants that are hard to kill. Prints their ids as one line of JSON.
import { spawn } from 'node:child_process';

const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);';
// Clears its environment, so that only its parents show where it belongs.
const bare = process.argv.includes('--with-bare');

function start(options, script = `${stubborn} process.stdout.write(String(process.pid))`) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', script], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.once('data', (data) => resolve(Number(String(data))));
  });
}

// Starts the escapee and exits, so that only the environment connects it with this process.
const goBetween = `
  const child = require('node:child_process').spawn(process.execPath,
    ['-e', ${JSON.stringify(`${stubborn} process.stdout.write(String(process.pid))`)}],
    { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', (data) => process.stdout.write(data, () => process.exit()));
`;

const pids = {
  leader: process.pid,
  child: await start({}),
  orphan: await start({ detached: true }, goBetween),
  bare: bare ? await start({ detached: true, env: {} }) : undefined,
};
if (process.argv.includes('--polite')) process.on('SIGTERM', () => process.exit(0));
else process.on('SIGTERM', () => {});
process.stdout.write(`${JSON.stringify(pids)}\n`);
if (process.argv.includes('--leave')) process.exit(0);
setInterval(() => {}, 1_000);
