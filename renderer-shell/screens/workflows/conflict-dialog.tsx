import { Button, Modal } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import type { WorkflowContent } from '../../state/workflows/workflow-content.ts';
import { contentOf, summaryOf, textOfContent } from '../../state/workflows/workflow-content.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { useWorkflow } from './workflow-context.ts';

/** Shows two versions of a workflow side by side and asks which one to keep. */
export function ConflictDialog() {
  const { t, language } = useTranslation();
  const { editor, state, content } = useWorkflow();
  const { theirs } = state;
  if (!theirs) return null;
  const changedAt = exactTime(theirs.updatedAt, language);
  return (
    <Modal
      opened
      size="xl"
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={t('flows.conflict')}
    >
      <p className="plain">{t('flows.conflictText', { changedAt })}</p>
      <div className="flow-versions">
        <Version
          title={t('flows.mine')}
          content={content}
          action={t('flows.keepMine')}
          onChoose={() => void editor.settle('mine')}
        />
        <Version
          title={t('flows.theirs')}
          content={contentOf(theirs)}
          action={t('flows.takeTheirs')}
          onChoose={() => void editor.settle('theirs')}
        />
      </div>
    </Modal>
  );
}

interface VersionProps {
  title: string;
  content: WorkflowContent;
  action: string;
  onChoose: () => void;
}

function Version({ title, content, action, onChoose }: VersionProps) {
  const { t } = useTranslation();
  const { steps, edges, inputs } = summaryOf(content);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p className="quiet plain">
        {t('flows.stepCount', { count: steps })} · {t('flows.edgeCount', { count: edges })} ·{' '}
        {t('flows.inputCount', { count: inputs })}
      </p>
      <div className="flow-code">
        <CodeEditor label={title} value={textOfContent(content)} lines={12} />
      </div>
      <Button size="xs" fullWidth mt="xs" onClick={onChoose}>
        {action}
      </Button>
    </section>
  );
}
