import { pathToFileURL } from 'node:url';
import { execFileSync } from 'node:child_process';
import { api } from '../../contract/index.ts';
import { startTestHost } from '../test-host.ts';

/**
 * A host in its own process that installs a plugin from git and updates it in a loop. Arguments:
 * work directory, repository, catalog, id of the plugin, and the commits that its branch alternates
 * between.
 */
const [workDirectory = '', repository = '', catalog = '', id = '', ...commits] =
  process.argv.slice(2);
const host = await startTestHost({ workDirectory });
const sources = await host.client.call(api.store.sources);
const url = pathToFileURL(catalog).href;
if (!sources.some((one) => one.url === url)) {
  await host.client.call(api.store.addSource, { body: { url } });
}
process.send?.('working');
for (let turn = 0; ; turn += 1) {
  const commit = commits[turn % commits.length] as string;
  execFileSync('git', ['-C', repository, 'update-ref', 'refs/heads/main', commit]);
  const { installed } = await host.client.call(api.market.details, { params: { id } });
  await host.client.call(installed ? api.market.update : api.market.install, { params: { id } });
}
