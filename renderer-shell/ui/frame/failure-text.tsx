import type { HostMessage } from '../../../service/contract/host-message.ts';
import { splitMessage } from '../../core/messages/host-message.ts';
import { FailureDetails } from './failure-details.tsx';

interface FailureTextProps {
  /** In English, or what others said. */
  text: string;
  message?: HostMessage | null | undefined;
  /** Data that came beside the text. */
  details?: string | undefined;
  className?: string;
}

/** Why something failed: one sentence, and everything that is longer under “Details”. */
export function FailureText({ text, message, details, className = 'plain' }: FailureTextProps) {
  const split = splitMessage(message, text);
  const data = details ?? split.details;
  return (
    <>
      <p className={`${className} untrusted`}>{split.text}</p>
      {data !== undefined && <FailureDetails details={data} />}
    </>
  );
}
