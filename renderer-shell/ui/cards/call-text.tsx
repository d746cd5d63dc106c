import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ApprovalRequest } from '../../../service/contract/index.ts';
import { jsonObject, prettyJson } from '../../core/json.ts';

/** The call that needs approval. */
export type CallToApprove = Omit<ApprovalRequest, 'callId'>;

/** Shows the exact call: a command with the deciding part marked, else all arguments. */
export function CallText({ request }: { request: CallToApprove }) {
  const { t } = useTranslation();
  const { tool, arguments: text, segment } = request;
  const args = jsonObject(text);
  const command = args?.['command'];
  if (tool !== 'execute_command' || typeof command !== 'string')
    return <pre className="call-text untrusted">{prettyJson(text)}</pre>;
  const others = Object.entries(args ?? {}).filter(([key]) => key !== 'command');
  return (
    <>
      <pre className="call-text untrusted" tabIndex={0}>
        <Marked text={command} part={segment} />
      </pre>
      {others.map(([key, value]) => (
        <p key={key} className="approval-why untrusted">
          {key}: <code>{JSON.stringify(value)}</code>
        </p>
      ))}
      {segment !== undefined && !command.includes(segment) && (
        <p className="approval-why">
          {t('approval.segment')} <code className="untrusted">{segment}</code>
        </p>
      )}
    </>
  );
}

function Marked({ text, part }: { text: string; part: string | undefined }) {
  const at = part === undefined || part === text ? -1 : text.indexOf(part);
  if (part === undefined || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{part}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
