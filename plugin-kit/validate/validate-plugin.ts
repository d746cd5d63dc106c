import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginManifest } from '../../service/contract/manifest.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { pageBundles, workerBundle } from '../bundle/find-bundles.ts';
import { filesBelow } from '../files-below.ts';
import { kitRoot } from '../kit-root.ts';
import { openPluginSandbox } from '../sandbox/plugin-sandbox.ts';
import {
  type Finding,
  errorAt,
  warningAt,
  inOrder,
  nowhere,
  type PluginFindings,
} from './finding.ts';
import { bundledPageFindings } from './bundled-page-findings.ts';
import { ManifestFile } from './manifest-file.ts';
import { manifestFindings } from './manifest-findings.ts';
import { moduleFindings } from './module-findings.ts';
import { packageFindings } from './package-findings.ts';
import { pageFindings } from './page-findings.ts';
import { enterSampleSettings } from './sample-settings.ts';
import { textFindings } from './text-findings.ts';
import { trialFindings } from './trial-findings.ts';
import { trialStart } from './trial-start.ts';

const manifestName = 'manifest.json';

/** Options of `validatePlugin`. */
export interface ValidateOptions {
  /** True to start the worker. Default true. */
  trial?: boolean;
}

interface PluginFiles {
  directory: string;
  files: readonly string[];
  manifestFile: ManifestFile;
}

/** Returns all findings of the plugin in a folder. */
export async function validatePlugin(
  directory: string,
  { trial = true }: ValidateOptions = {},
): Promise<PluginFindings> {
  const read = await readFiles(directory);
  if ('code' in read) return { directory, id: null, findings: [read] };
  const { manifest, findings } = manifestFindings(read.manifestFile);
  const pages = await pageBundles(directory, read.files);
  const methods = manifest === null ? null : Object.keys(manifest.methods);
  const made = pages.map(({ output }) => output);
  findings.push(
    ...(await pageFindings(directory, read.files, { made, methods })),
    ...(await bundledPageFindings(directory, pages, methods)),
    ...(await textFindings(directory, read.files)),
  );
  if (manifest !== null) {
    findings.push(...(await fileFindings(read, manifest)));
    if (!findings.some(isError)) findings.push(...(await packAndTry(read, manifest, trial)));
  }
  const written = (read.manifestFile.value as { id?: unknown } | undefined)?.id;
  const id = manifest?.id ?? (typeof written === 'string' ? written : null);
  return { directory, id, findings: inOrder(findings) };
}

const isError = ({ severity }: Finding): boolean => severity === 'error';

async function readFiles(directory: string): Promise<PluginFiles | Finding> {
  try {
    const files = await filesBelow(directory);
    if (!files.includes(manifestName)) return missingManifest(files);
    const text = await readFile(join(directory, manifestName), 'utf8');
    return { directory, files, manifestFile: new ManifestFile(text) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return errorAt('package_invalid', nowhere, error.message);
  }
}

function missingManifest(files: readonly string[]): Finding {
  const near =
    nearest(manifestName, files) ?? files.find((path) => path.endsWith(`/${manifestName}`));
  const message = 'There is no manifest.json. plugin-host-plugin init makes a plugin that has one.';
  return errorAt('manifest_missing', nowhere, message, near);
}

/** Checks files that the manifest names, and the modules of the worker. */
async function fileFindings(
  { directory, files, manifestFile }: PluginFiles,
  manifest: PluginManifest,
): Promise<Finding[]> {
  const { ui, worker, icon } = manifest;
  const findings: Finding[] = [];
  const named = (field: string, path: string, isThere: boolean, hint = ''): void => {
    if (isThere) return;
    const message = `${field} names ${path}, which is not there. Add the file, or correct the name.${hint}`;
    const near = nearest(
      path,
      files.filter((one) => one.startsWith(`${path.split('/')[0] ?? ''}/`)),
    );
    findings.push(errorAt('file_missing', manifestFile.positionOf(field), message, near));
  };
  named('ui.entry', ui.entry, files.includes(ui.entry));
  const entry =
    worker.entry ?? (worker.runtime === 'java' ? 'backend/worker.jar' : 'backend/worker.mjs');
  const bundle = worker.runtime === 'node' ? await workerBundle(directory, files, entry) : null;
  const isJava = worker.runtime === 'java' && files.some((path) => path.startsWith('backend/src/'));
  const isNode =
    worker.runtime === 'java' && files.some((path) => /^backend\/worker\.m?[jt]s$/.test(path));
  const hint = isNode ? ' For a worker in Node write "worker": {"runtime": "node"}.' : '';
  named('worker.entry', entry, bundle !== null || isJava || files.includes(entry), hint);
  findings.push(...iconFindings(icon, files, manifestFile));
  if (worker.runtime === 'node' && bundle === null) {
    const modules = files.filter((path) => /^backend\/(?!plugin-kit\/).*\.m?js$/.test(path));
    findings.push(...(await moduleFindings({ directory, files, modules, noPackages: null })));
  }
  return findings;
}

/** A plain word is a category icon; anything else is a file. */
function iconFindings(icon: string, files: readonly string[], manifest: ManifestFile): Finding[] {
  if (!/[./]/.test(icon) || ['', 'ui/'].some((folder) => files.includes(folder + icon))) return [];
  const message = `icon names ${icon}, which is not there. Add the file, or write a word such as "text".`;
  return [warningAt('icon_missing', manifest.positionOf('icon'), message, nearest(icon, files))];
}

async function packAndTry(
  { directory, files, manifestFile }: PluginFiles,
  manifest: PluginManifest,
  isTried: boolean,
): Promise<Finding[]> {
  const workDirectory = await realpath(await mkdtemp(join(tmpdir(), 'plugin-validate-')));
  try {
    const output = join(workDirectory, 'validated.plugin');
    const { packed, findings } = await packageFindings(directory, output, kitRoot);
    if (packed === null || !isTried) return findings;
    const sandbox = await openPluginSandbox({ workDirectory });
    try {
      const plugin = await sandbox.install({ path: packed.file, sha256: packed.sha256 });
      const samples = await enterSampleSettings(sandbox, plugin.id, workDirectory);
      const trial = await trialStart(sandbox, plugin);
      const input = { directory, files, manifest, manifestFile, trial, samples };
      return [...findings, ...(await trialFindings(input))];
    } finally {
      await sandbox.close();
    }
  } finally {
    await rm(workDirectory, { recursive: true, force: true });
  }
}
