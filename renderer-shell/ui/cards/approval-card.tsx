import { Button, Kbd, Textarea, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Approval } from '../../../service/contract/index.ts';
import { useWorkflowName } from '../../state/chat/use-workflow-name.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { keysText } from '../frame/keys-text.ts';
import type { Action } from '../frame/use-action.ts';
import { useAction } from '../frame/use-action.ts';
import { useDraft } from '../frame/use-draft.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import type { CallToApprove } from './call-text.tsx';
import { CallText } from './call-text.tsx';
import { useCardFocus } from './use-card-focus.ts';

export type Answer = Omit<Approval, 'callId'>;

/** Names the session, and the recipient of a comment. */
interface SessionTerms {
  session: string;
  comment: string;
}

interface ApprovalCardProps {
  /** Id of the pending call or gate. */
  id: string;
  request: CallToApprove;
  terms: SessionTerms;
  /** Rejects with `ServiceError`; the call then stays pending. */
  onAnswer: (decision: Answer) => Promise<void>;
}

type Step = 'choose' | 'always' | 'reject';

/** Text typed into the card, preserved until it is answered. */
interface AnswerDraft {
  step: Step;
  comment: string;
  rules: string;
}

/** Shows a pending call: what it would do, why it needs approval, and the possible answers. */
export function ApprovalCard({ id, request, terms, onAnswer }: ApprovalCardProps) {
  const { t } = useTranslation();
  const { effect, tool, reason, reasonMessage, rule } = request;
  const action = useAction();
  const draft = useDraft<AnswerDraft>(`approval:${id}`, () => ({
    step: 'choose',
    comment: '',
    rules: request.suggestedRules.join('\n'),
  }));
  const { step } = draft.value;
  const change = (patch: Partial<AnswerDraft>) =>
    draft.change((before) => ({ ...before, ...patch }));
  const setStep = (next: Step) => change({ step: next });
  const card = useRef<HTMLElement>(null);
  const answered = useRef(false);
  const focus = useCardFocus(card);
  const answer = (decision: Answer) =>
    void action.run(async () => {
      // The card stays for a moment, but accepts no second answer.
      if (answered.current) return;
      await onAnswer(decision);
      answered.current = true;
      draft.finish();
    });
  const stepProps = { request, terms, action, answer, setStep };

  const onKeyDown = (event: KeyboardEvent) => {
    const onCard = event.target === event.currentTarget;
    if (event.key === 'Escape') setStep(step === 'choose' ? 'reject' : 'choose');
    else if (onCard && isWriting(event)) return focus.handOver();
    else if (event.key === 'Enter' && onCard && step === 'choose') {
      if (focus.isSeen(event)) answer({ decision: 'allow_once' });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      className="approval"
      role="group"
      aria-label={t('approval.title')}
      tabIndex={-1}
      ref={card}
      onKeyDown={onKeyDown}
    >
      <CallTitle effect={effect} tool={tool} />
      <CallText request={request} />
      <p className="approval-why untrusted">{hostMessage(reasonMessage, reason)}</p>
      {rule !== undefined && (
        <p className="approval-why">
          {t('approval.rule')} <code className="untrusted">{rule}</code>
        </p>
      )}
      {action.error !== null && <ErrorAlert error={action.error} />}
      {step === 'choose' && <Choices {...stepProps} />}
      {step === 'always' && (
        <AlwaysForm
          {...stepProps}
          text={draft.value.rules}
          onChange={(rules) => change({ rules })}
        />
      )}
      {step === 'reject' && (
        <RejectForm
          {...stepProps}
          text={draft.value.comment}
          onChange={(comment) => change({ comment })}
        />
      )}
    </section>
  );
}

/** Describes the call in a sentence. A workflow is called by its name. */
function CallTitle({ effect, tool }: Pick<CallToApprove, 'effect' | 'tool'>) {
  const { t } = useTranslation();
  const workflowName = useWorkflowName(tool);
  return (
    <p className="approval-title" role="status" title={tool}>
      {workflowName === null
        ? t(`approval.effect.${effect}`, { tool })
        : t('approval.flow', { name: workflowName })}
    </p>
  );
}

const isWriting = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;

interface StepProps {
  request: CallToApprove;
  terms: SessionTerms;
  action: Action;
  answer: (decision: Answer) => void;
  setStep: (step: Step) => void;
}

function Choices({ request: { options }, terms, action, answer, setStep }: StepProps) {
  const { t } = useTranslation();
  return (
    <div className="approval-choices">
      <Button
        size="xs"
        loading={action.busy}
        rightSection={<Kbd size="xs">{keysText('Enter')}</Kbd>}
        onClick={() => answer({ decision: 'allow_once' })}
      >
        {t('approval.once')}
      </Button>
      {options.includes('allow_session') && (
        <Choice busy={action.busy} onClick={() => answer({ decision: 'allow_session' })}>
          {terms.session}
        </Choice>
      )}
      {options.includes('allow_always') && (
        <Choice busy={action.busy} onClick={() => setStep('always')}>
          {t('approval.always')}
        </Choice>
      )}
      <Choice busy={action.busy} keyName="Esc" onClick={() => setStep('reject')}>
        {t('approval.reject')}
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  busy: boolean;
  keyName?: string;
  onClick: () => void;
  children: string;
}

function Choice({ busy, keyName, onClick, children }: ChoiceProps) {
  const hint = keyName === undefined ? undefined : <Kbd size="xs">{keyName}</Kbd>;
  return (
    <Button size="xs" variant="default" disabled={busy} rightSection={hint} onClick={onClick}>
      {children}
    </Button>
  );
}

interface TextStepProps extends StepProps {
  text: string;
  onChange: (text: string) => void;
}

/** Shows the rules for editing before any of them is stored. */
function AlwaysForm({ action, answer, setStep, text, onChange }: TextStepProps) {
  const { t } = useTranslation();
  const rules = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return (
    <>
      <Textarea
        label={t('approval.rules')}
        description={t('approval.rulesText')}
        className="code-field"
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        data-autofocus
        autoFocus
      />
      <div className="approval-choices">
        <Button
          size="xs"
          loading={action.busy}
          disabled={rules.length === 0}
          onClick={() => answer({ decision: 'allow_always', rules })}
        >
          {t('approval.save')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setStep('choose')}>
          {t('action.back')}
        </Button>
      </div>
    </>
  );
}

function RejectForm({ terms, action, answer, setStep, text, onChange }: TextStepProps) {
  const { t } = useTranslation();
  const reject = () => {
    const trimmedComment = text.trim();
    answer({ decision: 'reject', ...(trimmedComment === '' ? {} : { comment: trimmedComment }) });
  };
  return (
    <>
      <TextInput
        label={terms.comment}
        maxLength={4_000}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) reject();
        }}
        autoFocus
      />
      <div className="approval-choices">
        <Button size="xs" color="red.9" loading={action.busy} onClick={reject}>
          {t('approval.reject')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setStep('choose')}>
          {t('action.back')}
        </Button>
      </div>
    </>
  );
}
