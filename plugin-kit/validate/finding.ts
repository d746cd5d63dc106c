/** One problem of a plugin. `--json` prints it as it is, so its fields stay. */
export interface Finding {
  /** `error`: an upload or the first call would fail. `warning`: it has no effect, or not the wanted one. */
  severity: 'error' | 'warning';
  /** A stable word such as `manifest_field`. */
  code: string;
  /** Relative to the plugin; null: the plugin as a whole. */
  file: string | null;
  /** From 1. */
  line: number | null;
  column: number | null;
  /** A sentence that says what to do. */
  message: string;
  /** The word that was most likely meant. */
  suggestion?: string;
}

/** All findings of one plugin, errors first. */
export interface PluginFindings {
  directory: string;
  /** Null where the manifest does not say. */
  id: string | null;
  findings: Finding[];
}

/** Position of a finding; line and column count from 1, null where only the file is known. */
export interface Location {
  file: string | null;
  line: number | null;
  column: number | null;
}

export const nowhere: Location = { file: null, line: null, column: null };

export const wholeFile = (file: string): Location => ({ file, line: null, column: null });

type Report = (code: string, location: Location, message: string, suggestion?: string) => Finding;

const reports =
  (severity: Finding['severity']): Report =>
  (code, { file, line, column }, message, suggestion) => {
    const found: Finding = { severity, code, file, line, column, message };
    if (suggestion !== undefined) found.suggestion = suggestion;
    return found;
  };

export const errorAt = reports('error');
export const warningAt = reports('warning');

/** Errors before warnings, then by file and place. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ severity, file }: Finding): string => `${severity} ${file ?? ''}`;
  return [...findings].sort(
    (a, b) =>
      keyOf(a).localeCompare(keyOf(b)) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
