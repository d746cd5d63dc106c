import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type {
  UnpackedFinding,
  UnpackedPlugin,
  UnpackedState,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

const tones: Record<UnpackedState, 'good' | 'warn' | 'bad' | undefined> = {
  starting: undefined,
  watching: 'good',
  refused: 'warn',
  failed: 'bad',
};

interface LoadedFolderProps {
  folder: UnpackedPlugin;
  onChanged: () => void;
}

/**
 * Shows a folder that is loaded as a plugin: its path, the result of its last reload, and its
 * problems.
 */
export function LoadedFolder({ folder, onChanged }: LoadedFolderProps) {
  const { t } = useTranslation();
  const { client, plugins, route } = useShell();
  const action = useAction();
  const { key, directory, id, version, installedAt, state } = folder;
  const run = (work: () => Promise<unknown>) =>
    void action.run(work).then(() => {
      onChanged();
      plugins.refreshSoon();
    });
  return (
    <li className="development-folder" aria-label={directory}>
      <div className="home-card-head">
        <span className="row-text">
          <span className="home-card-name untrusted">
            {id ?? directory} {version}
          </span>
          {id !== null && <span className="row-more untrusted">{directory}</span>}
        </span>
        <Tag tone={tones[state]}>{t(`development.state.${state}`)}</Tag>
        {id !== null && installedAt !== null && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => route.go({ area: 'plugins', id })}
          >
            {t('development.open')}
          </Button>
        )}
        {state === 'failed' && (
          <Button
            size="compact-xs"
            variant="default"
            loading={action.busy}
            onClick={() => run(() => client.call(api.unpacked.load, { body: { directory } }))}
          >
            {t('development.again')}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={action.busy}
          onClick={() => run(() => client.call(api.unpacked.unload, { params: { key } }))}
        >
          {t('development.unload')}
        </Button>
      </div>
      <Outcome folder={folder} />
      {action.error !== null && <ErrorAlert error={action.error} />}
    </li>
  );
}

function Outcome({ folder }: { folder: UnpackedPlugin }) {
  const { t } = useTranslation();
  const { state, reason, reasonMessage, findings, version } = folder;
  const isRefused = state === 'refused' || state === 'failed';
  if (reason === undefined && findings.length === 0) return null;
  return (
    <Alert tone={isRefused ? 'bad' : 'warn'} role="status">
      {reason !== undefined && <FailureText text={reason} message={reasonMessage} />}
      {findings.length > 0 && (
        <ul className="untrusted">
          {findings.map((finding, index) => (
            <Finding key={index} finding={finding} />
          ))}
        </ul>
      )}
      {isRefused && version !== null && (
        <p className="plain">{t('development.stays', { version })}</p>
      )}
    </Alert>
  );
}

function Finding({ finding }: { finding: UnpackedFinding }) {
  const { t } = useTranslation();
  const { file, line, column, message, suggestion } = finding;
  const location = [file, line, column].filter((part) => part !== null).join(':');
  return (
    <li>
      {location !== '' && <code>{location}</code>} {message}
      {suggestion !== undefined && ` ${t('development.suggestion', { suggestion })}`}
    </li>
  );
}
