/** A problem of a plugin. */
export interface Finding {
  /**
   * `error`: an upload or the first call would fail. `warning`: something has no effect or not the
   * intended one.
   */
  severity: 'error' | 'warning';
  /** A stable identifier such as `manifest_field`. */
  code: string;
  /** Path relative to the plugin; null if the finding concerns the whole plugin. */
  file: string | null;
  /** Counts from 1; null if unknown. */
  line: number | null;
  column: number | null;
  /** A sentence that says what to do. */
  message: string;
  /** The name that was most likely meant. */
  suggestion?: string;
}

/** Findings of one plugin. */
export interface PluginFindings {
  directory: string;
  /** Null if the manifest contains no id. */
  id: string | null;
  findings: Finding[];
}

/** A position in a file of the plugin. Null fields are unknown; line and column count from 1. */
export interface Position {
  file: string | null;
  line: number | null;
  column: number | null;
}

export const nowhere: Position = { file: null, line: null, column: null };

export const wholeFile = (file: string): Position => ({ file, line: null, column: null });

type Report = (code: string, position: Position, message: string, suggestion?: string) => Finding;

const reports =
  (severity: Finding['severity']): Report =>
  (code, { file, line, column }, message, suggestion) => {
    const found: Finding = { severity, code, file, line, column, message };
    if (suggestion !== undefined) found.suggestion = suggestion;
    return found;
  };

export const errorAt = reports('error');
export const warningAt = reports('warning');

/** Sorts errors before warnings, then by file and position. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ severity, file }: Finding): string => `${severity} ${file ?? ''}`;
  return [...findings].sort(
    (a, b) =>
      keyOf(a).localeCompare(keyOf(b)) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
