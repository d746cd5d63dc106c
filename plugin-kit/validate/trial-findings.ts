import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginManifest } from '../../service/contract/manifest.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { positionAt } from '../../service/features/plugins/packages/field-line.ts';
import { type Finding, errorAt, warningAt, nowhere, type Position, wholeFile } from './finding.ts';
import type { ManifestFile } from './manifest-file.ts';
import type { Trial } from './trial-start.ts';

/** Input of `trialFindings`. */
export interface TrialInput {
  directory: string;
  files: readonly string[];
  manifest: PluginManifest;
  manifestFile: ManifestFile;
  trial: Trial;
  /** Keys of required settings whose values were made up for the trial. */
  samples: readonly string[];
}

/** Returns the findings of the worker's trial start. */
export async function trialFindings(input: TrialInput): Promise<Finding[]> {
  const { manifest, manifestFile, trial } = input;
  if (trial.failure !== null) return [failureFinding(trial.failure, input)];
  const findings: Finding[] = [];
  if (trial.noise !== null) {
    const message = `The worker writes something else than JSON-RPC to stdout: ${trial.noise}. Write it to stderr.`;
    findings.push(warningAt('worker_noise', nowhere, message));
  }
  if (trial.methods === null) return findings;
  const declared = Object.keys(manifest.methods);
  const registered = trial.methods;
  for (const name of declared.filter((one) => !registered.includes(one))) {
    const message = `The method ${name} is in the manifest, but the worker does not register it. Register it with .method('${name}', …), or remove it from the manifest.`;
    const near = nearest(
      name,
      registered.filter((one) => !declared.includes(one)),
    );
    const position = manifestFile.nameOf(`methods.${name}`);
    findings.push(errorAt('method_not_registered', position, message, near));
  }
  for (const name of registered.filter((one) => !declared.includes(one))) {
    const message = `The worker registers the method ${name}, which is not in the manifest, so nobody can call it. Add it to methods.`;
    const near = nearest(
      name,
      declared.filter((one) => !registered.includes(one)),
    );
    findings.push(warningAt('method_not_declared', await registration(name, input), message, near));
  }
  return findings;
}

const skipped = 'Validate with --no-trial to leave the trial out.';

function failureFinding(
  { code, message, stderr }: NonNullable<Trial['failure']>,
  { files, samples }: TrialInput,
): Finding {
  if (code === 'sandbox-unavailable')
    return warningAt('trial_skipped', nowhere, `${message} ${skipped}`);
  if (code === 'missing-runtime') return errorAt('runtime_missing', nowhere, message);
  const lines = stderr.trim();
  const hint =
    lines === ''
      ? ' Was run() called at its end? It reads requests from stdin until the host ends it.'
      : `\n${lines}`;
  if (samples.length > 0) {
    const values = `It was started with made-up values for ${samples.join(', ')}. Let it start with any value, and refuse a wrong one when a method is called.`;
    return warningAt('worker_failed', positionIn(stderr, files), `${message} ${values}${hint}`);
  }
  return errorAt('worker_failed', positionIn(stderr, files), message + hint);
}

/** Returns the position in the plugin's files at which an error was thrown, from Node's output. */
function positionIn(stderr: string, files: readonly string[]): Position {
  for (const { 1: path = '', 2: line = '', 3: column } of stderr.matchAll(
    /(backend\/[\w./-]+\.[cm]?js):(\d+)(?::(\d+))?/g,
  )) {
    if (files.includes(path) && !path.startsWith('backend/plugin-kit/'))
      return {
        file: path,
        line: Number(line),
        column: column === undefined ? null : Number(column),
      };
  }
  return nowhere;
}

/** Returns the position at which the worker registers a method. */
async function registration(name: string, { directory, files }: TrialInput): Promise<Position> {
  const sources = files.filter((path) =>
    /^backend\/(?!plugin-kit\/).*\.(?:[cm]?[jt]s|java)$/.test(path),
  );
  for (const file of sources) {
    const text = await readFile(join(directory, file), 'utf8');
    const at = ["'", '"', '`']
      .map((quote) => text.indexOf(`method(${quote}${name}${quote}`))
      .find((one) => one !== -1);
    if (at !== undefined) return { file, ...positionAt(text, at) };
  }
  return sources[0] === undefined ? nowhere : wholeFile(sources[0]);
}
