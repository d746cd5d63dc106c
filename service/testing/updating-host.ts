import { api } from '../contract/index.ts';
import { installSample } from './sample-plugin.ts';
import { startTestHost } from './test-host.ts';

/**
 * A host in its own process that updates one plugin in a loop; prints a line when the first update
 * starts.
 */
const host = await startTestHost({ workDirectory: process.argv[2] as string });
const install = (n: number): Promise<unknown> => {
  const version = `1.0.${n}`;
  const filler = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`ui/f${i}.txt`, version.repeat(500)]),
  );
  return installSample(host, {
    manifest: { version },
    files: { ...filler, 'ui/stamp.json': JSON.stringify({ stamp: version }) },
  });
};
await install(0);
await host.client.call(api.market.setEnabled, {
  params: { id: 'acme.demo' },
  body: { enabled: false },
});
process.send?.('updating');
for (let n = 1; ; n += 1) await install(n);
