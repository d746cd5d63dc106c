import { ActionIcon, Button, Switch, TextInput, Tooltip } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { IconForms, IconMessageCircle, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useTitle } from '../../ui/frame/window-title.ts';
import { useWorkflow } from './workflow-context.ts';
import { WorkflowMenu } from './workflow-menu.tsx';

interface WorkflowToolbarProps {
  paletteOpen: boolean;
  setPaletteOpen: (open: boolean) => void;
}

export function WorkflowToolbar({ paletteOpen, setPaletteOpen }: WorkflowToolbarProps) {
  const { t } = useTranslation();
  const { state, open, narrow } = useWorkflow();
  const { saving, workflow } = state;
  const publishing = useAction();
  useTitle(state.history.present.name);
  return (
    <>
      <header className="toolbar flow-toolbar">
        {narrow && <ShowListButton label={t('flows.showList')} />}
        <WorkflowName key={state.history.present.name} name={state.history.present.name} />
        <span
          className="flow-saving"
          role="status"
          data-tone={saving === 'failed' ? 'bad' : undefined}
        >
          {t(`flows.saving.${saving === 'saved' && workflow.edit ? 'beside' : saving}`)}
        </span>
        <span className="toolbar-gap" />
        {!paletteOpen && (
          <ToolbarButton
            label={t('flows.addStep')}
            icon={IconPlus}
            onClick={() => setPaletteOpen(true)}
          />
        )}
        <PublishSwitch publishing={publishing} />
        <PanelButton name="inputs" icon={IconForms} />
        <PanelButton name="chat" icon={IconMessageCircle} />
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => open('run')}
        >
          {t('flows.run')}
        </Button>
        <WorkflowMenu />
      </header>
      {publishing.error !== null && (
        <div className="content-note">
          <ErrorAlert title={t('flows.notPublished')} error={publishing.error} />
        </div>
      )}
    </>
  );
}

function PanelButton({ name, icon }: { name: 'inputs' | 'chat'; icon: Icon }) {
  const { t } = useTranslation();
  const { panel, open } = useWorkflow();
  const isOpen = panel === name;
  return (
    <ToolbarButton
      icon={icon}
      label={t(`flows.panel.${name}`)}
      pressed={isOpen}
      onClick={() => open(isOpen ? null : name)}
    />
  );
}

interface ToolbarButtonProps {
  label: string;
  icon: Icon;
  pressed?: boolean;
  onClick: () => void;
}

/** In a narrow window the label is only a tooltip, also for screen readers. */
function ToolbarButton({ label, icon: Shape, pressed, onClick }: ToolbarButtonProps) {
  const { narrow, panel } = useWorkflow();
  const about = {
    variant: pressed === true ? 'light' : 'default',
    'aria-pressed': pressed,
    onClick,
  };
  if (!narrow && panel === null)
    return (
      <Button size="xs" leftSection={<Shape size={14} aria-hidden />} {...about}>
        {label}
      </Button>
    );
  return (
    <Tooltip label={label}>
      <ActionIcon size={30} aria-label={label} {...about}>
        <Shape size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function PublishSwitch({ publishing }: { publishing: Action }) {
  const { t } = useTranslation();
  const { editor, state } = useWorkflow();
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

/** An empty name is not applied. */
function WorkflowName({ name }: { name: string }) {
  const { t } = useTranslation();
  const { editor } = useWorkflow();
  const [text, setText] = useState(name);
  const rename = () => {
    const next = text.trim();
    if (next === '') setText(name);
    else if (next !== name) editor.change({ name: next });
  };
  return (
    <h1 className="flow-name">
      <TextInput
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
    </h1>
  );
}
