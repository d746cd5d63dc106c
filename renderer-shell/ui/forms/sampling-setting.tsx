import '../../core/messages/mcp-translations.ts';
import { Switch } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { Setting } from './setting.tsx';

/** Edits whether servers may request answers of the model. */
export function SamplingSetting() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { mcpSamplingEnabled } = useStore(settings);
  const action = useAction();
  const change = (on: boolean) => action.run(() => settings.change({ mcpSamplingEnabled: on }));
  return (
    <>
      <Setting label={t('mcp.sampling')} text={t('mcp.samplingText')}>
        {(labelId) => (
          <Switch
            aria-labelledby={labelId}
            checked={mcpSamplingEnabled}
            onChange={(event) => void change(event.currentTarget.checked)}
          />
        )}
      </Setting>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}
