import { Loader } from '@mantine/core';
import { IconBan, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useWorkflowName } from '../../state/chat/use-workflow-name.ts';
import type { DisplayedPart } from '../../state/chat/turn.ts';
import { jsonObject, prettyJson } from '../../core/json.ts';
import { commandOutputOf } from '../frame/command-output.ts';
import { CommandEnd } from '../frame/failure-details.tsx';
import { mainArgumentOf } from './tool-call.ts';

/** Limit in characters; longer texts are shown in full on request. */
const previewLength = 20_000;

type ToolPart = Extract<DisplayedPart, { type: 'tool' }>;

interface ToolCardProps {
  part: ToolPart;
  /** True if its turn is still in progress. */
  isLive: boolean;
}

/**
 * Shows one call of a tool: its arguments, progress and result. A failed command shows its exit
 * code and last lines.
 */
export function ToolCard({ part, isLive }: ToolCardProps) {
  const { t } = useTranslation();
  const { name, success, output, progress } = part;
  const workflowName = useWorkflowName(name);
  const args = jsonObject(part.arguments);
  const state = stateOf(success, isLive);
  const [open, setOpen] = useState(false);
  const failedCommand = state === 'failed' && !open ? commandOutputOf(output ?? '') : null;
  const card = (
    <details
      className="tool"
      data-state={state}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <ToolState state={state} />
        <span className="tool-name untrusted">
          {workflowName === null ? name : t('tool.flow', { name: workflowName })}
        </span>
        <span className="tool-gist untrusted">{mainArgumentOf(args)}</span>
        <span className="visually-hidden">{t(`tool.state.${state}`)}</span>
      </summary>
      {open && (
        <>
          <ToolText label={t('tool.arguments')} text={prettyJson(part.arguments)} />
          {success === undefined && progress !== undefined && (
            <ToolText label={t('tool.progress')} text={progress} />
          )}
          {output !== undefined && <ToolOutput output={output} />}
        </>
      )}
    </details>
  );
  return (
    <>
      {card}
      {failedCommand !== null && <CommandEnd output={failedCommand} />}
    </>
  );
}

type State = 'running' | 'done' | 'failed' | 'stopped';

function stateOf(success: boolean | undefined, isLive: boolean): State {
  if (success === undefined) return isLive ? 'running' : 'stopped';
  return success ? 'done' : 'failed';
}

function ToolState({ state }: { state: State }) {
  const icon = { size: 16, 'aria-hidden': true } as const;
  if (state === 'running') return <Loader size={14} aria-hidden />;
  if (state === 'done') return <IconCheck {...icon} />;
  return state === 'failed' ? <IconX {...icon} /> : <IconBan {...icon} />;
}

export function ToolOutput({ output }: { output: string }) {
  const { t } = useTranslation();
  const command = commandOutputOf(output);
  if (!command) return <ToolText label={t('tool.output')} text={prettyJson(output)} />;
  const { exitCode, stdout, stderr } = command;
  return (
    <>
      {stdout !== '' && <ToolText label={t('tool.stdout')} text={stdout} />}
      {stderr !== '' && <ToolText label={t('tool.stderr')} text={stderr} />}
      <p className="tool-exit">
        {exitCode === null ? t('error.noExit') : t('error.exit', { code: exitCode })}
      </p>
    </>
  );
}

export function ToolText({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const isLong = text.length > previewLength;
  return (
    <section className="tool-text">
      <h3>{label}</h3>
      <pre tabIndex={0} className="untrusted">
        {all || !isLong ? text : `${text.slice(0, previewLength)}…`}
      </pre>
      {isLong && !all && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {t('tool.showAll', { count: text.length })}
        </button>
      )}
    </section>
  );
}
