import { Button, FileButton, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { PageError } from '../../core/messages/page-error.ts';
import { ImportPreview, ImportWarnings } from './import-preview.tsx';
import type { Imported } from './use-import.ts';
import { useImport } from './use-import.ts';
import type { Servers } from './use-servers.ts';

const largestFileBytes = 4 * 1_024 * 1_024;

/** Imports the configuration of other programs after a preview of the result. */
export function ImportServers({ servers }: { servers: Servers }) {
  const { t } = useTranslation();
  const { mcp, route } = useShell();
  const reading = useImport();
  const action = useAction();
  const [imported, setImported] = useState<Imported | null>(null);
  const { preview } = reading;
  const count = preview.kind === 'ready' ? preview.servers.length : 0;
  const take = () =>
    action.run(async () => {
      const result = await reading.take();
      await servers.refresh();
      void mcp.refresh();
      const [first] = result.created;
      if (first && result.created.length === 1 && result.warnings.length === 0)
        route.go({ area: 'mcp', id: first.id });
      else setImported(result);
    });
  const cancel = () => {
    reading.drop();
    route.go({ area: 'mcp', id: null });
  };
  if (imported) return <Result imported={imported} onAgain={() => setImported(null)} />;
  return (
    <form
      className="mcp-form"
      aria-label={t('mcp.paste')}
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <p className="plain">{t('mcpImport.text')}</p>
      <CodeEditor
        label={t('mcpImport.json')}
        value={reading.text}
        onChange={reading.setText}
        lines={10}
      />
      <FileChoice
        onChoose={(file) => void action.run(async () => reading.setText(await read(file)))}
      />
      <ImportPreview preview={preview} onRetry={reading.retry} />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy} disabled={count === 0}>
          {t('mcpImport.add', { count })}
        </Button>
        <Button size="xs" variant="default" onClick={cancel}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

function FileChoice({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useTranslation();
  return (
    <FileButton accept="application/json,.json" onChange={(file) => file && onChoose(file)}>
      {(props) => (
        <Button {...props} size="xs" variant="default" w="fit-content">
          {t('mcpImport.file')}
        </Button>
      )}
    </FileButton>
  );
}

/**
 * Reads the text of a file.
 * @throws PageError if the file is too large
 */
async function read(file: File): Promise<string> {
  if (file.size > largestFileBytes) throw new PageError('mcpImport.tooLarge');
  return file.text();
}

function Result({ imported, onAgain }: { imported: Imported; onAgain: () => void }) {
  const { t } = useTranslation();
  const { route } = useShell();
  const { created, warnings } = imported;
  return (
    <div className="mcp-form">
      <Alert
        tone={created.length > 0 ? 'good' : 'warn'}
        role="status"
        title={t('mcpImport.added', { count: created.length })}
      />
      <ImportWarnings warnings={warnings} />
      <Group gap="xs">
        {created.map(({ id, name }) => (
          <Button
            key={id}
            size="xs"
            variant="default"
            onClick={() => route.go({ area: 'mcp', id })}
          >
            <span className="untrusted">{t('command.open', { name })}</span>
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={onAgain}>
          {t('action.back')}
        </Button>
      </Group>
    </div>
  );
}
