import { isMessage, type Message, textOf } from '../messages/index.ts';
import type { FieldError } from './host-error.ts';

/** A field error as JSON: English text, plus the message for translation when the host wrote it. */
export interface FieldProblem extends Omit<FieldError, 'message'> {
  message: string;
  text?: Message;
}

export function fieldProblem({ message, ...rest }: FieldError): FieldProblem {
  const problem = { ...rest, message: textOf(message) };
  return isMessage(message) ? { ...problem, text: message } : problem;
}

export const fieldErrorOf = ({ text, message, ...rest }: FieldProblem): FieldError => ({
  ...rest,
  message: text ?? message,
});
