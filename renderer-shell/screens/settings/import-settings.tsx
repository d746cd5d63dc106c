import { Button, Checkbox, FileButton, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ImportResult } from '../../../service/contract/index.ts';
import { api, ImportSource } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

/** A chosen file with the preview or the result of its import. */
interface ImportedFile {
  file: File;
  result: ImportResult;
  isDone: boolean;
}

/** Imports the configuration of other programs after a preview. */
export function ImportSettings() {
  const { t } = useTranslation();
  const { client, mcp } = useShell();
  const [program, setProgram] = useState<ImportSource>('claude-desktop');
  const [withKeys, setWithKeys] = useState(false);
  const [imported, setImported] = useState<ImportedFile | null>(null);
  const action = useAction();
  const run = (file: File, keys: boolean, isDone: boolean) =>
    action.run(async () => {
      if (!isDone) setImported(null);
      const query = {
        keys: String(keys) as 'true' | 'false',
        dryRun: String(!isDone) as 'true' | 'false',
      };
      const input = { params: { program }, query, fields: {}, file, fileName: file.name };
      const result = await client.call(api.imports.run, input);
      setImported({ file, result, isDone });
      if (isDone) void mcp.refresh();
    });
  return (
    <section aria-label={t('sections.import')}>
      <h2>{t('sections.import')}</h2>
      <p className="plain setting-text">{t('imports.text')}</p>
      <div className="stacked-form">
        <NativeSelect
          label={t('imports.program')}
          description={t(`imports.file.${program}`)}
          value={program}
          onChange={(event) => {
            setProgram(ImportSource.parse(event.currentTarget.value));
            setImported(null);
          }}
          data={ImportSource.options.map((value) => ({ value, label: t(`imports.name.${value}`) }))}
        />
        <Checkbox
          label={t('imports.keys')}
          checked={withKeys}
          onChange={({ currentTarget: { checked } }) => {
            setWithKeys(checked);
            if (imported && !imported.isDone) void run(imported.file, checked, false);
          }}
        />
        <FileButton
          accept=".json,.jsonc,.zip"
          onChange={(file) => file && void run(file, withKeys, false)}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" w="fit-content" loading={action.busy}>
              {t('imports.choose')}
            </Button>
          )}
        </FileButton>
        {action.error !== null && <ErrorAlert error={action.error} />}
        {imported && <Preview imported={imported} />}
        {imported && !imported.isDone && (
          <Group gap="xs">
            <Button
              size="xs"
              loading={action.busy}
              disabled={countOf(imported.result) === 0}
              onClick={() => void run(imported.file, withKeys, true)}
            >
              {t('imports.run')}
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setImported(null)}>
              {t('action.cancel')}
            </Button>
          </Group>
        )}
      </div>
    </section>
  );
}

const countOf = ({ servers, providers, prompts }: ImportResult): number =>
  servers.length + providers.length + prompts.length;

function Preview({ imported: { result, isDone } }: { imported: ImportedFile }) {
  const { t } = useTranslation();
  const count = countOf(result);
  const groups = [
    {
      name: 'servers' as const,
      lines: result.servers.map(({ name, target }) => `${name} · ${target}`),
    },
    {
      name: 'providers' as const,
      lines: result.providers.map(({ name, baseUrl, hasKey }) =>
        [name, baseUrl, ...(hasKey ? [t('imports.withKey')] : [])].join(' · '),
      ),
    },
    { name: 'prompts' as const, lines: result.prompts.map(({ name }) => `/${name}`) },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <section aria-label={t('imports.preview')}>
      <p className="plain" role="status">
        {t(isDone ? 'imports.done' : 'imports.count', { count })}
      </p>
      {groups.map(({ name, lines }) => (
        <div key={name}>
          <h3>{t(`imports.part.${name}`)}</h3>
          <ul className="running-parts untrusted">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
      {result.warnings.length > 0 && (
        <Alert tone="warn" title={t('imports.warnings')}>
          <ul className="untrusted">
            {result.warnings.map(({ name, reason, reasonMessage }, index) => (
              <li key={index}>{`${name} ${hostMessage(reasonMessage, reason)}`}</li>
            ))}
          </ul>
        </Alert>
      )}
    </section>
  );
}
