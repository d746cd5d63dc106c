import { useCallback, useEffect, useState } from 'react';
import type { HostMessage } from '../../../service/contract/host-message.ts';
import type { McpReplacement, McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useRetryOnReconnect } from '../../ui/frame/use-retry-on-reconnect.ts';
import { useShell } from '../../state/shell.ts';
import { jsonObject } from '../../core/json.ts';
import { PageError } from '../../core/messages/page-error.ts';

/** A server that the import skips, with the reason. */
export interface Warning {
  name: string;
  reason: string;
  reasonMessage?: HostMessage | undefined;
}

/** The result of an import. */
export interface Imported {
  created: McpServerView[];
  warnings: Warning[];
}

export type Preview =
  | { kind: 'nothing' }
  | { kind: 'reading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'ready'; servers: McpReplacement[]; warnings: Warning[] };

/** The state and actions of the import form. */
export interface Import {
  text: string;
  setText: (text: string) => void;
  preview: Preview;
  retry: () => void;
  /** Discards the text. */
  drop: () => void;
  /** Rejects with `ServiceError`. */
  take: () => Promise<Imported>;
}

/** Delay after typing before the preview is requested, in milliseconds. */
const typingMs = 300;

const nothing: Preview = { kind: 'nothing' };
const reading: Preview = { kind: 'reading' };

/** Manages a document with servers and the preview of its import. */
export function useImport(): Import {
  const { client } = useShell();
  const draft = useDraft('mcp:import', () => ({ text: '' }));
  const { text } = draft.value;
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ of: string; attempt: number; preview: Preview } | null>(
    null,
  );

  const isEmpty = text.trim() === '';
  const isCurrent = loaded?.of === text && loaded.attempt === attempt;
  const preview: Preview = isEmpty ? nothing : isCurrent ? loaded.preview : reading;
  useEffect(() => {
    if (isEmpty) return;
    const controller = new AbortController();
    const setPreview = (next: Preview) => setLoaded({ of: text, attempt, preview: next });
    const loadPreview = async () => {
      try {
        const body = documentOf(text);
        const query = { dryRun: 'true' } as const;
        const answer = await client.call(api.mcp.import, {
          body,
          query,
          signal: controller.signal,
        });
        if (!controller.signal.aborted && 'servers' in answer)
          setPreview({ kind: 'ready', ...answer });
      } catch (error) {
        if (!controller.signal.aborted) setPreview({ kind: 'failed', error });
      }
    };
    const timer = setTimeout(() => void loadPreview(), typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, text, isEmpty, attempt]);

  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  useRetryOnReconnect(preview.kind === 'failed' ? preview.error : undefined, retry);

  return {
    text,
    setText: (next) => draft.change({ text: next }),
    preview,
    retry,
    drop: draft.drop,
    take: async () => {
      const answer = await client.call(api.mcp.import, { body: documentOf(text), query: {} });
      draft.drop();
      return 'created' in answer ? answer : { created: [], warnings: answer.warnings };
    },
  };
}

/**
 * Parses the document.
 * @throws PageError if the text is not a JSON object
 */
function documentOf(text: string): Record<string, unknown> {
  const value = jsonObject(text);
  if (!value) throw new PageError('mcpImport.noObject');
  return value;
}
