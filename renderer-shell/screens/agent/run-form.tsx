import { Button, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wanted } from '../../state/agent/run-draft.ts';
import { batchOf, goalsOf, isBatch, runOf } from '../../state/agent/run-draft.ts';
import type { Runs } from '../../state/agent/runs.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { bringFile } from '../../state/chat/attach-files.ts';
import { takesFiles } from '../../ui/frame/drop-target.tsx';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { Note } from '../../ui/frame/note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { AttachMenu } from '../../ui/conversation/attach-menu.tsx';
import { AttachmentList } from '../../ui/conversation/attachment-list.tsx';
import { ModePicker } from '../../ui/conversation/mode-picker.tsx';
import type { Attaching } from '../../ui/conversation/use-attaching.ts';
import { useAttaching } from '../../ui/conversation/use-attaching.ts';
import { MoreGoals } from './more-goals.tsx';
import { RunOptionsMenu } from './run-options-menu.tsx';

/** What is written stays while a person looks elsewhere. */
export function RunForm() {
  const { t } = useTranslation();
  const shell = useShell();
  const runs = runsOf(shell);
  const attaching = useAttaching(runs.draft, bringFile);
  const action = useAction();
  const wanted = useWanted(runs);
  const ready = useStore(shell.models)?.ready ?? false;
  const filesInBatch = isBatch(wanted) && wanted.draft.attachments.length > 0;
  const canBegin = ready && !attaching.busy && !filesInBatch && goalsOf(wanted).length > 0;
  const begin = () => {
    if (!canBegin || action.busy) return;
    void action.run(async () => {
      const runId = await (isBatch(wanted)
        ? runs.beginBatch(batchOf(wanted))
        : runs.begin(runOf(wanted)));
      runs.draft.clear();
      shell.route.go({ area: 'agent', id: runId });
    });
  };
  return (
    <form
      {...takesFiles}
      className="run-form"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        begin();
      }}
      onDrop={(event) => bring(attaching, event, event.dataTransfer.files)}
    >
      <GoalBox runs={runs} wanted={wanted} attaching={attaching}>
        <Button
          type="submit"
          size="xs"
          loading={action.busy}
          disabled={!canBegin}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
        >
          {t('agent.start', { count: Math.max(1, goalsOf(wanted).length) })}
        </Button>
      </GoalBox>
      <MoreGoals more={runs.draft.more} />
      {filesInBatch && <Note tone="warn">{t('agent.batchFiles')}</Note>}
      {action.error !== null && <ErrorNote error={action.error} />}
    </form>
  );
}

function bring(attaching: Attaching, event: { preventDefault(): void }, files: FileList): void {
  if (files.length === 0) return;
  event.preventDefault();
  void attaching.add([...files]);
}

interface GoalBoxProps {
  runs: Runs;
  wanted: Wanted;
  attaching: Attaching;
  /** What begins the run. */
  children: ReactNode;
}

function GoalBox({ runs: { draft }, wanted, attaching, children }: GoalBoxProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="composer">
      {attaching.error !== null && <ErrorNote error={attaching.error} />}
      <AttachmentList conversation={draft} />
      <Textarea
        ref={field}
        variant="unstyled"
        autosize
        minRows={3}
        maxRows={16}
        autoFocus
        aria-label={t('agent.goal')}
        placeholder={t('agent.goalHint')}
        value={wanted.draft.text}
        onChange={(event) => draft.draft.set({ ...wanted.draft, text: event.currentTarget.value })}
        onPaste={(event) => bring(attaching, event, event.clipboardData.files)}
      />
      <div className="composer-row">
        <AttachMenu
          filesOnly
          conversation={draft}
          attaching={attaching}
          onChosen={() => field.current?.focus()}
        />
        <ModePicker conversation={draft} />
        <RunOptionsMenu options={draft.options} />
        <span className="toolbar-gap" />
        {children}
      </div>
    </div>
  );
}

function useWanted({ draft }: Runs): Wanted {
  return {
    draft: useStore(draft.draft),
    more: useStore(draft.more),
    mode: useStore(draft.mode),
    options: useStore(draft.options),
  };
}
