import { Button, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { RunDraftValues } from '../../state/agent/run-draft.ts';
import { batchOf, goalsOf, isBatch, runOf } from '../../state/agent/run-draft.ts';
import type { Runs } from '../../state/agent/runs.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { uploadFile } from '../../state/chat/attach-files.ts';
import { takesFiles } from '../../ui/frame/drop-target.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
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

/** Shows the form of a new run. Input is preserved while another area is open. */
export function RunForm() {
  const { t } = useTranslation();
  const shell = useShell();
  const runs = runsOf(shell);
  const attaching = useAttaching(runs.draft, uploadFile);
  const action = useAction();
  const values = useDraftValues(runs);
  const ready = useStore(shell.models)?.ready ?? false;
  const hasUnsupportedFiles = isBatch(values) && values.draft.attachments.length > 0;
  const canStart = ready && !attaching.busy && !hasUnsupportedFiles && goalsOf(values).length > 0;
  const start = () => {
    if (!canStart || action.busy) return;
    void action.run(async () => {
      const runId = await (isBatch(values)
        ? runs.startBatch(batchOf(values))
        : runs.start(runOf(values)));
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
        start();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        start();
      }}
      onDrop={(event) => bring(attaching, event, event.dataTransfer.files)}
    >
      <GoalField runs={runs} values={values} attaching={attaching}>
        <Button
          type="submit"
          size="xs"
          loading={action.busy}
          disabled={!canStart}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
        >
          {t('agent.start', { count: Math.max(1, goalsOf(values).length) })}
        </Button>
      </GoalField>
      <MoreGoals more={runs.draft.more} />
      {hasUnsupportedFiles && <Alert tone="warn">{t('agent.batchFiles')}</Alert>}
      {action.error !== null && <ErrorAlert error={action.error} />}
    </form>
  );
}

function bring(attaching: Attaching, event: { preventDefault(): void }, files: FileList): void {
  if (files.length === 0) return;
  event.preventDefault();
  void attaching.add([...files]);
}

interface GoalFieldProps {
  runs: Runs;
  values: RunDraftValues;
  attaching: Attaching;
  /** The submit button. */
  children: ReactNode;
}

function GoalField({ runs: { draft }, values, attaching, children }: GoalFieldProps) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="composer">
      {attaching.error !== null && <ErrorAlert error={attaching.error} />}
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
        value={values.draft.text}
        onChange={(event) => draft.draft.set({ ...values.draft, text: event.currentTarget.value })}
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

function useDraftValues({ draft }: Runs): RunDraftValues {
  return {
    draft: useStore(draft.draft),
    more: useStore(draft.more),
    mode: useStore(draft.mode),
    options: useStore(draft.options),
  };
}
