import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { prettyJson } from '../../core/json.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { type CommandOutput, commandOutputOf, lastLinesOf } from './command-output.ts';

/**
 * Shows data about an error: program output, a schema, a response. The last lines of a command are
 * visible at once.
 */
export function FailureDetails({ details }: { details: string }) {
  const { t } = useTranslation();
  const command = commandOutputOf(details);
  const text = command === null ? prettyJson(details) : outputText(command);
  return (
    <>
      {command !== null && <MoreLines output={command} />}
      <details className="failure-details">
        <summary>{t('error.details')}</summary>
        <div className="failure-text">
          <pre className="failure-data untrusted" tabIndex={0}>
            {text}
          </pre>
          <CopyText text={text} />
        </div>
      </details>
    </>
  );
}

/** How a command ended: its exit code and the last lines that it wrote. */
export function CommandEnd({ output }: { output: CommandOutput }) {
  const { t } = useTranslation();
  const { exitCode } = output;
  return (
    <div className="command-end">
      <p className="plain">
        {exitCode === null ? t('error.noExit') : t('error.exit', { code: exitCode })}
      </p>
      <LastLines output={output} />
    </div>
  );
}

/** The last lines of a command after a sentence that ends with the very last one. */
export function MoreLines({ output }: { output: CommandOutput }) {
  return lastLinesOf(output).includes('\n') ? <LastLines output={output} /> : null;
}

function LastLines({ output }: { output: CommandOutput }) {
  const lines = lastLinesOf(output);
  return lines === '' ? null : (
    <pre className="failure-data untrusted" tabIndex={0}>
      {lines}
    </pre>
  );
}

function CopyText({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          className="failure-copy"
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t(copied ? 'action.copied' : 'action.copy')}
          title={t(copied ? 'action.copied' : 'action.copy')}
          onClick={copy}
        >
          {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

const outputText = ({ stdout, stderr }: CommandOutput): string =>
  [stdout, stderr]
    .map((text) => text.trimEnd())
    .filter((text) => text !== '')
    .join('\n');
