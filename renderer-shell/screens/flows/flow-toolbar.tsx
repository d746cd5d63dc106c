import { Button, Switch, TextInput, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftExpand, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../frame/error-note.tsx';
import { ShowListButton } from '../../frame/list-pane.tsx';
import type { Action } from '../../frame/use-action.ts';
import { useAction } from '../../frame/use-action.ts';
import { useFlow } from './flow-context.ts';
import { FlowMenu } from './flow-menu.tsx';

interface FlowToolbarProps {
  paletteOpen: boolean;
  setPaletteOpen: (open: boolean) => void;
}

export function FlowToolbar({ paletteOpen, setPaletteOpen }: FlowToolbarProps) {
  const { t } = useTranslation();
  const { state, open, panel, narrow } = useFlow();
  const { saving } = state;
  const publishing = useAction();
  return (
    <>
      <header className="toolbar flow-toolbar">
        {narrow && <ShowListButton label={t('flows.showList')} />}
        <FlowName key={state.history.present.name} name={state.history.present.name} />
        <span
          className="flow-saving"
          role="status"
          data-tone={saving === 'failed' ? 'bad' : undefined}
        >
          {t(`flows.saving.${saving}`)}
        </span>
        <span className="toolbar-gap" />
        {!paletteOpen && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLayoutSidebarLeftExpand size={14} aria-hidden />}
            onClick={() => setPaletteOpen(true)}
          >
            {t('flows.addStep')}
          </Button>
        )}
        <PublishSwitch publishing={publishing} />
        <Button
          size="xs"
          variant={panel === 'inputs' ? 'light' : 'default'}
          onClick={() => open(panel === 'inputs' ? null : 'inputs')}
        >
          {t('flows.panel.inputs')}
        </Button>
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => open('run')}
        >
          {t('flows.run')}
        </Button>
        <FlowMenu />
      </header>
      {publishing.error !== null && (
        <div className="content-note">
          <ErrorNote title={t('flows.notPublished')} error={publishing.error} />
        </div>
      )}
    </>
  );
}

function PublishSwitch({ publishing }: { publishing: Action }) {
  const { t } = useTranslation();
  const { editor, state } = useFlow();
  const { published } = state.workflow;
  return (
    <Tooltip label={t('flows.publishText')} multiline w={260}>
      <Switch
        size="sm"
        label={t('flows.published')}
        checked={published}
        disabled={publishing.busy}
        onChange={() => void publishing.run(() => editor.publish(!published))}
      />
    </Tooltip>
  );
}

/** Stays what it was while it is empty. */
function FlowName({ name }: { name: string }) {
  const { t } = useTranslation();
  const { editor } = useFlow();
  const [text, setText] = useState(name);
  const rename = () => {
    const next = text.trim();
    if (next === '') setText(name);
    else if (next !== name) editor.change({ name: next });
  };
  return (
    <TextInput
      className="flow-name"
      variant="unstyled"
      size="sm"
      aria-label={t('flows.name')}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) rename();
      }}
    />
  );
}
