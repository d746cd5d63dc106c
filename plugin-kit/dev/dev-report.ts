import type { PluginLogEvent } from '../../service/contract/index.ts';
import type { Terminal } from '../cli/command.ts';
import type { PluginFindings } from '../validate/finding.ts';
import { textReport } from '../validate/text-report.ts';

/** A package that a host has taken. */
export interface Installed {
  id: string;
  version: string;
  /** From the change to the answer of the host. */
  milliseconds: number;
  /** Warnings at most. */
  found: PluginFindings;
}

/** Receives what happens while a plugin is developed. */
export interface DevReport {
  installed(plugin: Installed): void;
  /** It has errors; the host keeps what it has. */
  refused(found: PluginFindings): void;
  /** It could not be packed or installed. */
  failed(message: string): void;
  /** Absent: nobody reads the log. */
  log?: (event: PluginLogEvent) => void;
}

/** Sentences for a person. */
export function textDevReport({ print, say }: Terminal): DevReport {
  const sayFindings = (found: PluginFindings): void => {
    if (found.findings.length > 0) for (const line of textReport([found])) say(line);
  };
  return {
    installed({ id, version, milliseconds, found }) {
      sayFindings(found);
      print(`${id} ${version} is installed (${String(milliseconds)} ms)`);
    },
    refused(found) {
      sayFindings(found);
      say('Not installed. Correct the errors; the host keeps what it has.');
    },
    failed: say,
    log({ level, logger, message }) {
      print(`[${logger ?? 'stderr'}] ${level} ${message}`);
    },
  };
}

/** One JSON object a line for a program: `{event: installed|refused|failed, …}`. */
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
