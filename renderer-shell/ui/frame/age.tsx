import { useTranslation } from '../../core/messages/use-translation.ts';
import { ageText, exactTime } from '../../core/messages/amounts.ts';

interface AgeProps {
  /** ISO 8601. */
  at: string;
  nowMs: number;
  className?: string;
}

/** Shows how long ago something happened, with the exact time as a tooltip. */
export function Age({ at, nowMs, className }: AgeProps) {
  const { language } = useTranslation();
  return (
    <time className={className} dateTime={at} title={exactTime(at, language)}>
      {ageText(at, nowMs, language)}
    </time>
  );
}
