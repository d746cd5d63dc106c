import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { NewUnpackedPlugin } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { environmentWith, processEnvironment } from '../../../platform/process-environment.ts';
import type { OwnedProcess, Processes } from '../../../platform/processes.ts';

const initLimitMs = 60_000;
const convertLimitMs = 120_000;
const maxReportBytes = 4 * 1024 * 1024;
const stopGraceMs = 2_000;
const tailCharacters = 2_000;

/** The location of the plugin kit, and the program that runs it. */
export interface KitProgramOptions {
  /** Folder of the built kit. */
  kit: string;
  /** The Node program that runs it. */
  node: string;
  processes: Processes;
  /**
   * The file with the address and token of this host: `.host/dev.json`. It keeps the token out of
   * command lines.
   */
  developerFile: string;
}

/** The kit is part of this host, so its messages are trusted. */
const KitMessage = z.custom<Message>(
  (value) => z.object({ code: z.string() }).safeParse(value).success,
);
/** The output of `plugin-host-plugin pack --json` for a plugin in another format. */
const ConversionReport = z.object({
  file: z.string(),
  sha256: z.string(),
  carried: z.array(KitMessage),
  notCarried: z.array(KitMessage),
});
export type ConversionReport = z.output<typeof ConversionReport>;

/** Runs the plugin kit that ships with this host as a child process. */
export class KitProgram {
  readonly #options: KitProgramOptions;

  constructor(options: KitProgramOptions) {
    this.#options = options;
  }

  /** @throws HostError 503 `kit_missing` */
  async require(): Promise<void> {
    const isThere = await access(this.#entry).then(
      () => true,
      () => false,
    );
    if (!isThere) throw new HostError('unavailable', 'kit_missing', msg('unpacked.kitMissing'));
  }

  /**
   * Keeps the plugin in the folder installed while it changes; its results are lines of JSON on
   * stdout.
   */
  dev(directory: string): Promise<OwnedProcess> {
    const args = ['dev', '--json', `--host-file=${this.#options.developerFile}`, directory];
    return this.#start(args, directory);
  }

  /** @throws HostError 502 `kit_failed` with the output of the kit */
  async init({ directory, id, name, runtime }: NewUnpackedPlugin): Promise<void> {
    const args = ['init', `--runtime=${runtime}`, `--id=${id}`, `--name=${name}`, directory];
    const child = await this.#start(args, dirname(this.#entry));
    const errorOutput = tailOf(child);
    const exit = await withTimeoutOrNull(initLimitMs, child.exited);
    await child.terminate(0);
    if (exit?.code === 0) return;
    const reason = exit === null ? msg('unpacked.kitTooSlow') : errorOutput();
    throw new HostError('upstream-failed', 'kit_failed', msg('unpacked.notMade', { reason }));
  }

  /**
   * Converts a plugin file of another format to a package in the folder.
   * @throws HostError 400 `invalid_package` with the output of the kit, 503 `kit_missing`
   */
  async convert(file: string, folder: string): Promise<ConversionReport> {
    const child = await this.#start(['pack', file, `--out=${folder}`, '--json'], folder);
    const errorOutput = tailOf(child);
    const report = textOfOutput(child);
    const exit = await withTimeoutOrNull(convertLimitMs, child.exited);
    await child.terminate(0);
    const parsed = exit?.code === 0 ? ConversionReport.safeParse(readJson(await report)) : null;
    if (parsed?.success === true) return parsed.data;
    const reason = exit === null ? msg('convert.tooSlow') : errorOutput();
    throw new HostError('invalid', 'invalid_package', msg('convert.notConverted', { reason }));
  }

  /** Resolves when the whole process tree has ended. */
  stop(child: OwnedProcess): Promise<void> {
    return child.terminate(stopGraceMs);
  }

  get #entry(): string {
    return join(this.#options.kit, 'bin', 'plugin-host-plugin.mjs');
  }

  async #start(args: readonly string[], cwd: string): Promise<OwnedProcess> {
    await this.require();
    const { JAVA_HOME: javaHome } = process.env;
    const more: Record<string, string> = javaHome === undefined ? {} : { JAVA_HOME: javaHome };
    const child = await this.#options.processes.spawn({
      program: this.#options.node,
      args: [this.#entry, ...args],
      cwd,
      // Electron runs scripts as Node only with this variable.
      env: environmentWith(processEnvironment(), { ...more, ELECTRON_RUN_AS_NODE: '1' }),
    });
    child.stdin.end();
    return child;
  }
}

/** Returns a function that reads the end of its stderr, for error messages. */
export function tailOf({ stderr }: OwnedProcess): () => string {
  let text = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-tailCharacters);
  });
  return () => text.trim();
}

/** Returns its stdout up to a limit. */
async function textOfOutput({ stdout }: OwnedProcess): Promise<string> {
  let text = '';
  stdout.setEncoding('utf8');
  for await (const chunk of stdout) {
    text += String(chunk);
    if (text.length > maxReportBytes) return '';
  }
  return text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
