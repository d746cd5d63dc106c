/**
 * A process that tests kill: alternately installs two packages of a plugin, and sometimes removes
 * it, in a loop. Arguments: the plugins directory, the staging directory, `keep` or `remove`, the
 * packages.
 */
import { freshPackage } from '../features/plugins/packages/fresh-plugin.ts';
import { readPackage } from '../features/plugins/packages/package-archive.ts';
import { PackageDirectory } from '../features/plugins/packages/package-layout.ts';

const [plugins = '', staging = '', mode, ...files] = process.argv.slice(2);
const packages = new PackageDirectory(plugins, staging);
const checked = await Promise.all(files.map(readPackage));
const deadlineMs = performance.now() + 20_000;

process.stdout.write('ready\n');
while (performance.now() < deadlineMs) {
  for (const one of checked) await packages.replace(freshPackage(one));
  if (mode === 'remove') await packages.remove('acme.demo');
}
