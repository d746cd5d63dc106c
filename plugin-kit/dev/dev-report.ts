import type { PluginLogEvent } from '../../service/contract/index.ts';
import type { Terminal } from '../cli/command.ts';
import type { PluginFindings } from '../validate/finding.ts';
import { textReport } from '../validate/text-report.ts';

/** A package that a host has installed. */
export interface Installed {
  id: string;
  version: string;
  /** Time from the change to the answer of the host. */
  milliseconds: number;
  /** Findings; warnings only. */
  found: PluginFindings;
}

/** Receives the events of a development session. */
export interface DevReport {
  installed(plugin: Installed): void;
  /** The plugin has errors; the host keeps the installed version. */
  refused(found: PluginFindings): void;
  /** The plugin could not be packed or installed. */
  failed(message: string): void;
  /** Receives log lines of the plugin. If absent, the log is not read. */
  log?: (event: PluginLogEvent) => void;
}

/** Prints sentences for people. */
export function textDevReport({ print, printStatus }: Terminal): DevReport {
  const reportFindings = (found: PluginFindings): void => {
    if (found.findings.length > 0) for (const line of textReport([found])) printStatus(line);
  };
  return {
    installed({ id, version, milliseconds, found }) {
      reportFindings(found);
      print(`${id} ${version} is installed (${String(milliseconds)} ms)`);
    },
    refused(found) {
      reportFindings(found);
      printStatus('Not installed. Correct the errors; the host keeps what it has.');
    },
    failed: printStatus,
    log({ level, logger, message }) {
      print(`[${logger ?? 'stderr'}] ${level} ${message}`);
    },
  };
}

/** Prints one JSON object per line for programs: `{event: installed|refused|failed, …}`. */
export function jsonDevReport({ print }: Pick<Terminal, 'print'>): DevReport {
  const write = (value: object): void => print(JSON.stringify(value));
  return {
    installed({ id, version, milliseconds, found: { directory, findings } }) {
      write({ event: 'installed', directory, id, version, milliseconds, findings });
    },
    refused: (found) => write({ event: 'refused', ...found }),
    failed: (message) => write({ event: 'failed', message }),
  };
}
