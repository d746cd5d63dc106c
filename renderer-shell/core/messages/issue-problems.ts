import type { HostMessage } from '../../../service/contract/host-message.ts';
import { texts } from '../../../service/messages/en.json?groups=field,list&service';
import { formatterOf } from '../../../service/messages/format.ts';
import { type Issue, issueMessages } from '../../../service/messages/issue-messages.ts';

const format = formatterOf(texts, 'en');

/** Returns the validation problems of a value checked in the page, in the format of the service. */
export const issueProblems = (
  issues: readonly Issue[],
  value: unknown,
): { path: string; message: string; text: HostMessage }[] =>
  issueMessages(issues, value).map(({ path, message }) => ({
    path,
    message: format(message) ?? message.code,
    text: message,
  }));
