import { expect, it } from 'vitest';
import { api, type PluginDetails } from '../../contract/index.ts';
import { packPlugin } from '../../testing/packages.ts';
import { addSource, refreshSource } from '../../testing/store/sources.ts';
import { startStaticServer } from '../../testing/store/static-server.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const web = await useForFile(startStaticServer());
const host = await useForFile(startTestHost());

const id = 'acme.asking';

async function publish(version: string, permissions: string[]): Promise<void> {
  const manifest = { id, name: 'Asking', version, permissions };
  web.files.set(`/${version}.plugin`, await packPlugin({ manifest }));
  const plugins = [{ ...manifest, package: `${version}.plugin` }];
  web.files.set('/catalog.json', JSON.stringify({ name: 'Packages', plugins }));
}

const details = (): Promise<PluginDetails> =>
  host.client.call(api.market.details, { params: { id } });

it('additional permissions of an update are shown before it is installed', async () => {
  await publish('1.0.0', ['notifications']);
  const source = await addSource(host, { url: `${web.baseUrl}/catalog.json` });
  expect((await details()).offered).toBeUndefined();
  await host.client.call(api.market.install, { params: { id } });
  expect((await details()).offered).toMatchObject({ comparison: 'same', addedPermissions: [] });

  await publish('1.1.0', ['notifications', 'network']);
  await refreshSource(host, source.id);
  expect(await details()).toMatchObject({
    permissions: ['notifications'],
    updateAvailable: true,
    offered: { version: '1.1.0', comparison: 'upgrade', addedPermissions: ['network'] },
  });

  await publish('0.9.0', []);
  await refreshSource(host, source.id);
  expect(await details()).toMatchObject({
    updateAvailable: false,
    offered: { version: '0.9.0', comparison: 'downgrade', permissions: [], addedPermissions: [] },
  });
});
