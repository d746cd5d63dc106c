import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpReplacement } from '../../../service/contract/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import { PageError } from '../../core/messages/page-error.ts';
import type { Preview, Warning } from './use-import.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

interface ImportPreviewProps {
  preview: Preview;
  onRetry: () => void;
}

/** Lists the servers that the import creates, and those that it skips. */
export function ImportPreview({ preview, onRetry }: ImportPreviewProps) {
  const { t } = useTranslation();
  switch (preview.kind) {
    case 'nothing':
      return null;
    case 'reading':
      return <p className="plain quiet late">{t('mcpImport.reading')}</p>;
    case 'failed':
      return isTextInvalid(preview.error) ? (
        <ErrorAlert error={preview.error} />
      ) : (
        <ErrorAlert error={preview.error} onRetry={onRetry} />
      );
    case 'ready':
      return (
        <section aria-label={t('mcpImport.preview')}>
          <h2 role="status">{t('mcpImport.count', { count: preview.servers.length })}</h2>
          <ul className="running-parts">
            {preview.servers.map((server) => (
              <PreviewRow key={server.name} server={server} />
            ))}
          </ul>
          <ImportWarnings warnings={preview.warnings} />
        </section>
      );
  }
}

/** Returns true if the same text would be refused again, so that a retry is useless. */
const isTextInvalid = (error: unknown): boolean =>
  error instanceof PageError || (error instanceof ServiceError && error.problem.status === 400);

function PreviewRow({ server }: { server: McpReplacement }) {
  const { t } = useTranslation();
  const { name, transport, command, args = [], url = '', endpoint = '', enabled } = server;
  const credentials = [...Object.keys(server.env ?? {}), ...Object.keys(server.headers ?? {})];
  const text = command === undefined ? `${url}${endpoint}` : [command, ...args].join(' ');
  return (
    <li>
      <p>
        <span className="untrusted">{name}</span>
        <Tag>{t(`mcpTransport.${transport}`)}</Tag>
        {!enabled && <Tag>{t('mcpState.DISABLED')}</Tag>}
      </p>
      <code className="running-command untrusted">{text}</code>
      {credentials.length > 0 && (
        <p className="running-more untrusted">
          {t('mcpImport.credentials', { names: credentials.join(', ') })}
        </p>
      )}
    </li>
  );
}

export function ImportWarnings({ warnings }: { warnings: Warning[] }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <Alert tone="warn" title={t('mcpImport.warnings')}>
      <ul className="untrusted">
        {warnings.map(({ name, reason, reasonMessage }, index) => (
          <li key={index}>{`${name} ${hostMessage(reasonMessage, reason)}`}</li>
        ))}
      </ul>
    </Alert>
  );
}
