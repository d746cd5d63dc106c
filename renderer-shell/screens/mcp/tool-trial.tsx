import { Button, Group, SegmentedControl } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView, McpTool, Received } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { keysText } from '../../ui/frame/keys-text.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { PageError } from '../../core/messages/page-error.ts';
import { ResultView } from './result-view.tsx';
import { jsonObject } from '../../core/json.ts';
import { defaultsOf, fieldsOf, requiredFirst } from '../../ui/forms/schema-fields.ts';
import type { Values } from '../../ui/forms/schema-form.tsx';
import { SchemaForm } from '../../ui/forms/schema-form.tsx';

interface ToolTrialProps {
  tool: McpTool;
  server: McpServerView;
}

type Result = { answer: Received<typeof api.mcp.call>; ms: number };

/** Calls a tool with arguments from a form or as JSON, and shows the result. */
export function ToolTrial({ tool, server }: ToolTrialProps) {
  const { t } = useTranslation();
  const args = useArguments(tool, server);
  const call = useCall(tool, server);
  const run = () => void call.run(args.read);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || call.busy) return;
    event.preventDefault();
    run();
  };
  return (
    <form
      className="mcp-form"
      aria-label={t('mcpTry.title', { name: tool.name })}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <ArgumentFields args={args} />
      <Group gap="xs">
        <Button size="xs" type="submit" loading={call.busy} title={keysText('mod+Enter')}>
          {t('mcpTry.run')}
        </Button>
        {call.busy && (
          <Button size="xs" variant="default" onClick={call.stop}>
            {t('mcpTry.stop')}
          </Button>
        )}
      </Group>
      {call.error !== null && <ErrorAlert error={call.error} />}
      {call.result && call.error === null && (
        <ResultView answer={call.result.answer} ms={call.result.ms} />
      )}
    </form>
  );
}

interface Arguments {
  fields: ReturnType<typeof fieldsOf>;
  values: Values;
  setValues: (values: Values) => void;
  /** Null while the form is visible. */
  raw: string | null;
  setRaw: (text: string) => void;
  show: (as: 'form' | 'json') => void;
  /** @throws PageError if the text is not a JSON object */
  read: () => Values;
}

interface TypedArguments {
  values: Values;
  raw: string | null;
}

/** Keeps the form and the JSON text in sync: both edit the same arguments. */
function useArguments({ name, inputSchema }: McpTool, { id }: McpServerView): Arguments {
  const fields = useMemo(() => requiredFirst(fieldsOf(inputSchema)), [inputSchema]);
  const draft = useDraft<TypedArguments>(`mcp:${id}:tool:${name}`, () => ({
    values: defaultsOf(inputSchema),
    raw: null,
  }));
  const { values, raw } = draft.value;
  const change = (patch: Partial<TypedArguments>) =>
    draft.change((before) => ({ ...before, ...patch }));
  return {
    fields,
    values,
    setValues: (next) => change({ values: next }),
    raw,
    setRaw: (text) => change({ raw: text }),
    show: (as) => {
      if (as === 'json') return change({ raw: JSON.stringify(values, null, 2) });
      change({ values: objectOf(raw ?? '') ?? values, raw: null });
    },
    read: () => {
      if (raw === null) return values;
      const read = objectOf(raw);
      if (!read) throw new PageError('mcpTry.noObject');
      return read;
    },
  };
}

function objectOf(text: string): Values | null {
  return text.trim() === '' ? {} : jsonObject(text);
}

function ArgumentFields({ args }: { args: Arguments }) {
  const { t } = useTranslation();
  const { fields, values, setValues, raw, setRaw, show } = args;
  return (
    <>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('mcpTry.how')}
        value={raw === null ? 'form' : 'json'}
        data={[
          { value: 'form', label: t('mcpTry.form') },
          { value: 'json', label: t('mcpTry.json') },
        ]}
        onChange={show}
      />
      {raw === null ? (
        <>
          {fields.length === 0 && <p className="plain quiet">{t('mcpTry.noFields')}</p>}
          <SchemaForm fields={fields} values={values} onChange={setValues} />
        </>
      ) : (
        <CodeEditor label={t('mcpTry.arguments')} value={raw} onChange={setRaw} lines={5} />
      )}
    </>
  );
}

/**
 * Calls the tool without a time limit of its own: the service reports when a tool exceeds the limit
 * of its server.
 */
function useCall(tool: McpTool, { id }: McpServerView) {
  const { client } = useShell();
  const action = useAction();
  const [result, setResult] = useState<Result | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    busy: action.busy,
    error: action.error,
    result,
    run: (read: () => Values) =>
      action.run(async () => {
        const stop = new AbortController();
        running.current = stop;
        const since = performance.now();
        try {
          const body = { tool: tool.name, arguments: read() };
          const { signal } = stop;
          const answer = await client.call(api.mcp.call, { params: { id }, body, signal });
          setResult({ answer, ms: Math.round(performance.now() - since) });
        } catch (error) {
          if (!stop.signal.aborted) throw error;
          throw new PageError('mcpTry.stopped');
        }
      }),
    stop: () => running.current?.abort(),
  };
}
