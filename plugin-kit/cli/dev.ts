import { jsonDevReport, textDevReport } from '../dev/dev-report.ts';
import { createClient } from '../../service/client/index.ts';
import { api } from '../../service/contract/index.ts';
import { DevSession } from '../dev/dev-session.ts';
import { findHost, type FoundHost, readHostFile } from '../dev/find-host.ts';
import { startOwnHost } from '../dev/start-host.ts';
import { type Command, UsageError } from './command.ts';
import { onlyPlugin } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

const kinds = {
  host: 'value',
  token: 'value',
  'host-file': 'value',
  json: 'switch',
  inspect: 'switch',
} as const;

export const devCommand: Command = {
  usage:
    '[directory] [--host=http://127.0.0.1:<port> --token=… | --host-file=<file>] [--json] [--inspect]',
  summary: 'Installs a plugin in a host after every change, and shows its log.',
  options: {
    host: 'Address of a running host. Default: a host of this machine in developer mode, else a new temporary one.',
    token: 'Token of that host.',
    'host-file': 'In place of --host and --token: the .host/dev.json of a host in developer mode.',
    json: 'Prints one JSON object for each line, for other programs.',
    inspect: 'Opens a debugger for the worker and prints its address.',
  },
  async run(args, terminal) {
    const { options, positionals } = readOptions(args, kinds, 1);
    const isJson = options.json === true;
    const { printStatus } = terminal;
    const print = isJson ? printStatus : terminal.print;
    const report = isJson ? jsonDevReport(terminal) : textDevReport(terminal);
    const directory = await onlyPlugin(positionals);
    const named = await namedHost(options);
    const shutdown = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => shutdown.abort());
    const found = named ?? (await findHost(process.cwd()));
    const own = found === null ? await startOwnHost() : null;
    const host = found ?? own;
    if (host === null) return 1;
    try {
      if (own !== null) print(`Started a host. Open it in your browser: ${own.url}`);
      else print(`Found a host at ${host.baseUrl}`);
      const inspect = options.inspect === true;
      if (own !== null && inspect) await turnOnDeveloperMode(own);
      await new DevSession({
        directory,
        host,
        report,
        print,
        printStatus,
        inspect,
        signal: shutdown.signal,
      }).run();
      return 0;
    } finally {
      await own?.close();
    }
  },
};

/** Debuggers need developer mode. Changes only the host that was started for this session. */
async function turnOnDeveloperMode({ baseUrl, token }: FoundHost): Promise<void> {
  const client = createClient({ baseUrl, token: () => token });
  await client.call(api.settings.put, { body: { developerMode: true } });
}

interface HostOptions {
  host?: string;
  token?: string;
  'host-file'?: string;
}

async function namedHost({
  host,
  token,
  'host-file': file,
}: HostOptions): Promise<FoundHost | null> {
  if (file === undefined) return hostAt(host, token);
  if (host === undefined && token === undefined) return readHostFile(file);
  throw new UsageError('--host-file names the host; leave out --host and --token.');
}

/**
 * Returns the named host; null if none is named.
 * @throws UsageError if only one of the two is given, or the address is not on this machine
 */
function hostAt(host: string | undefined, token: string | undefined): FoundHost | null {
  if (host === undefined && token === undefined) return null;
  if (host === undefined || token === undefined)
    throw new UsageError(
      '--host and --token belong together. Both are in .host/dev.json of the host.',
    );
  const address = URL.canParse(host) ? new URL(host) : null;
  if (address?.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(address.hostname))
    throw new UsageError('--host must be an address such as http://127.0.0.1:8080.');
  return { baseUrl: address.origin, token };
}
