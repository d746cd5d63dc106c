import { homedir, release } from 'node:os';
import { Readable } from 'node:stream';
import type { WritableSettings } from '../../contract/index.ts';
import { diagnose, type DiagnosticsOptions } from './diagnose.ts';

const maxLogBytes = 512 * 1024;

/** The sources of a bug report. */
export interface BugReportOptions extends DiagnosticsOptions {
  settings: () => WritableSettings;
}

/**
 * Returns one readable file with facts for finding a defect in this host. Secrets are removed from
 * every text; texts that users write freely (rules, commands of hooks) are only counted.
 */
export async function bugReport(options: BugReportOptions): Promise<Readable> {
  const { log, settings } = options;
  const report = {
    createdAt: new Date().toISOString(),
    system: { release: release(), arch: process.arch, uptimeSeconds: Math.round(process.uptime()) },
    // The diagnostics quote invalid rules, which may contain anything.
    diagnostics: await diagnose({ ...options, ruleProblems: () => [] }),
    settings: reportedSettings(settings()),
    log: await log.lastLines(maxLogBytes),
  };
  const clean = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? withoutHome(log.clean(value)) : value;
  return Readable.from([JSON.stringify(report, clean, 2)], { objectMode: false });
}

function reportedSettings(settings: WritableSettings): Record<string, unknown> {
  const { permissionRules, hooks, webSearch, updateApiBase } = settings;
  const { deny, ask, allow } = permissionRules;
  return {
    ...settings,
    permissionRules: { deny: countOf(deny), ask: countOf(ask), allow: countOf(allow) },
    hooks: hooks.map(({ type, event, enabled, timeoutSeconds }) => ({
      type,
      event,
      enabled,
      timeoutSeconds,
    })),
    webSearch: {
      provider: webSearch.provider,
      baseUrl: originOf(webSearch.baseUrl),
      hasApiKey: webSearch.apiKey !== '',
    },
    updateApiBase: originOf(updateApiBase),
  };
}

const countOf = (rules: string): string => {
  const count = rules.split('\n').filter((line) => line.trim() !== '').length;
  return count === 1 ? '1 line' : `${count} lines`;
};

const originOf = (address: string): string => URL.parse(address)?.origin ?? '';

/** Replaces the home directory, since it often contains the name of the user. */
function withoutHome(text: string): string {
  const home = homedir();
  return home.length > 1 ? text.replaceAll(home, '~') : text;
}
