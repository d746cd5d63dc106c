import { Modal, Select, Skeleton, Tabs } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { type AnyVersion, type Branch, branchesOf } from '../../state/chat/branches.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { textOf } from '../../state/chat/message-text.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { useLoaded } from '../frame/use-loaded.ts';
import { Markdown } from '../markdown/markdown.tsx';

interface VersionsDialogProps {
  conversationId: string;
  conversation: Conversation;
  /** The visible version of the message. */
  messageId: string;
  siblings: readonly string[];
  onClose: () => void;
}

/** Compares two versions of a message side by side, and shows all branches of the conversation. */
export function VersionsDialog(props: VersionsDialogProps) {
  const { conversationId: id, conversation, messageId, siblings, onClose } = props;
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(
    () => client.call(api.conversations.versions, { params: { id } }),
    [client, id],
  );
  const { state, refresh } = useLoaded(load);
  const selecting = useAction();
  const show = (version: string) =>
    void selecting
      .run(() => conversation.select(version))
      .then((isDone) => {
        if (isDone) onClose();
      });
  return (
    <Modal
      opened
      onClose={onClose}
      size="90%"
      title={t('chat.version.all')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {selecting.error !== null && <ErrorAlert error={selecting.error} />}
      {state.kind === 'loading' && <Skeleton height={240} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <Tabs defaultValue="compare" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="compare">{t('chat.version.compare')}</Tabs.Tab>
            <Tabs.Tab value="branches">{t('chat.version.branches')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="compare">
            <Comparison versions={state.value} messageId={messageId} siblings={siblings} />
          </Tabs.Panel>
          <Tabs.Panel value="branches">
            <BranchList branches={branchesOf(state.value)} onShow={show} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Modal>
  );
}

interface ComparisonProps {
  versions: readonly AnyVersion[];
  messageId: string;
  siblings: readonly string[];
}

function Comparison({ versions, messageId, siblings }: ComparisonProps) {
  const { t } = useTranslation();
  const at = siblings.indexOf(messageId);
  const other = siblings[at === 0 ? 1 : at - 1] ?? messageId;
  const [chosen, setChosen] = useState<readonly string[]>([other, messageId]);
  const count = siblings.length;
  const options = siblings.map((value, index) => ({
    value,
    label: t('chat.version.label', { number: index + 1, count }),
  }));
  return (
    <div className="version-columns">
      {chosen.map((id, column) => {
        const version = versions.find((one) => one.id === id);
        return (
          <section key={column}>
            <Select
              size="xs"
              aria-label={t(column === 0 ? 'chat.version.first' : 'chat.version.second')}
              data={options}
              value={id}
              allowDeselect={false}
              onChange={(value) => value !== null && setChosen(chosen.with(column, value))}
            />
            {version && <Markdown text={textOf(version.content)} />}
          </section>
        );
      })}
    </div>
  );
}

const previewCharacters = 120;

interface BranchListProps {
  branches: readonly Branch[];
  onShow: (id: string) => void;
}

function BranchList({ branches, onShow }: BranchListProps) {
  const { t } = useTranslation();
  return (
    <ul className="branch-list">
      {branches.map(({ messages, branches: further }) => (
        <li key={messages[0]?.id}>
          {messages.map(({ id, role, content, visible }) => (
            <button
              key={id}
              type="button"
              aria-current={visible || undefined}
              onClick={() => onShow(id)}
            >
              <span className="quiet">{t(`chat.role.${role}`)}</span>
              <span className="untrusted">{textOf(content).slice(0, previewCharacters)}</span>
            </button>
          ))}
          {further.length > 0 && <BranchList branches={further} onShow={onShow} />}
        </li>
      ))}
    </ul>
  );
}
