import { useTranslation } from '../../core/messages/use-translation.ts';
import { durationOf } from '../../state/workflows/run-view.ts';
import type { StepView } from '../../state/workflows/run-view.ts';
import { ElementList } from '../../ui/cards/element-list.tsx';
import { StepMark } from './step-mark.tsx';
import { FailureText } from '../../ui/frame/failure-text.tsx';

const maxLength = 20_000;

/** Shows the result of a step in the visible run. */
export function StepResult({ step }: { step: StepView }) {
  const { t, language } = useTranslation();
  const { status, error, errorMessage, details, progress, elements } = step;
  const result: unknown = elements.length > 0 ? undefined : step.result;
  const took = durationOf(step);
  const text = result === undefined ? null : textOf(result);
  return (
    <section className="flow-result" aria-label={t('flows.lastResult')}>
      <h3>
        {t('flows.lastResult')} <StepMark step={step} />
        <span className="quiet">
          {t(`flows.step.${status}`)}
          {took !== null && ` · ${secondsText(took, language)}`}
        </span>
      </h3>
      {elements.length > 0 && <ElementList elements={elements} />}
      {error !== undefined && (
        <FailureText className="flow-fault" text={error} message={errorMessage} details={details} />
      )}
      {progress !== '' && text === null && <pre className="call-text untrusted">{progress}</pre>}
      {text !== null && (
        <pre className="call-text untrusted" tabIndex={0}>
          {text.slice(0, maxLength)}
          {text.length > maxLength && `\n… ${t('flows.cut')}`}
        </pre>
      )}
    </section>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const secondsText = (ms: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: ms < 1_000 ? 'millisecond' : 'second',
    maximumFractionDigits: 1,
  }).format(ms < 1_000 ? Math.round(ms) : ms / 1_000);
