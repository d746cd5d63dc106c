import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Methods of the example package's worker, without parameters. */
const methods = ['family', 'spin', 'hang', 'environment', 'keep'];

const worker = `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const stubborn = 'process.on("SIGTERM", () => {}); process.stdout.write("ready"); setInterval(() => {}, 1000);';
const startChild = (options) =>
  new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'ignore'];
    const child = spawn(process.execPath, ['-e', stubborn], { ...options, stdio });
    child.stdout.once('data', () => resolve(child.pid));
  });

const methods = {
  // A child in the same session, and one that leads a session of its own.
  family: async () => ({
    worker: process.pid,
    child: await startChild({}),
    escapee: await startChild({ detached: true }),
  }),
  spin: () => {
    for (;;);
  },
  hang: () => new Promise(() => {}),
  environment: () => ({ ...process.env }),
  // The current directory is the plugin's own for its data.
  keep: () => {
    appendFileSync('kept.txt', 'x'.repeat(2048));
    return 'kept';
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = method === 'host.initialize' ? {} : await methods[method](params);
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

const page = `<!doctype html>
<html lang="en">
  <title>Example</title>
  <script src="_host/plugin-client.js"></script>
  <script src="page.js" defer></script>
  <h1>Example page</h1>
  <button>Keep something</button>
  <output></output>
</html>`;

const script = `
document.querySelector('button').addEventListener('click', async () => {
  document.querySelector('output').textContent = await PluginClient.invoke('keep');
});
`;

export const examplePackage = { id: 'com.example.sample', name: 'Sample plugin' };

/** Packs a small Node worker; `payload` only makes the package larger. */
export async function packExample(
  options: { version?: string; payload?: Buffer } = {},
): Promise<Blob> {
  const manifest = {
    ...examplePackage,
    version: options.version ?? '1.0.0',
    permissions: ['notifications'],
    worker: { runtime: 'node' },
    methods: Object.fromEntries(methods.map((name) => [name, {}])),
  };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.addBuffer(Buffer.from(page), 'ui/index.html');
  zip.addBuffer(Buffer.from(script), 'ui/page.js');
  zip.addBuffer(Buffer.from(worker), 'backend/worker.mjs');
  if (options.payload) zip.addBuffer(options.payload, 'ui/payload.bin', { compress: false });
  zip.end();
  return new Blob([new Uint8Array(await buffer(zip.outputStream))]);
}
