import { Button, Tooltip } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useStore } from '../../core/store.ts';
import { useShell } from '../../state/shell.ts';

/** Shows or hides the log beside the content. */
export function LogButton({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { logsOpen } = useStore(view);
  return (
    <Tooltip label={t('plugin.logs')} disabled={!narrow}>
      <Button
        size="xs"
        variant={logsOpen ? 'light' : 'default'}
        aria-pressed={logsOpen}
        aria-label={t('plugin.logs')}
        leftSection={narrow ? undefined : <IconFileText size={14} aria-hidden />}
        onClick={() => view.patch({ logsOpen: !logsOpen })}
      >
        {narrow ? <IconFileText size={14} aria-hidden /> : t('plugin.logs')}
      </Button>
    </Tooltip>
  );
}
