import { Modal, Skeleton, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ResourceAttachment } from '../../state/chat/attachments.ts';
import type { OfferedResource } from '../../state/chat/offered-resources.ts';
import { matchesResource } from '../../state/chat/offered-resources.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { optionId, ResourceGroup } from './resource-group.tsx';
import type { ServerResources } from './use-resources.ts';
import { useResources } from './use-resources.ts';

const maxVisible = 200;

interface ResourceDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Called after the closing animation. */
  onClosed: () => void;
  onChoose: (resource: ResourceAttachment) => void;
}

/** Searches the resources of all servers. */
export function ResourceDialog({ opened, onClose, onClosed, onChoose }: ResourceDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      size="lg"
      title={t('chat.resources.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <ResourceChoice
        onChoose={({ kind, name, serverId, server, uri }) => {
          onChoose({ kind, name, serverId, server, uri });
          onClose();
        }}
      />
    </Modal>
  );
}

function ResourceChoice({ onChoose }: { onChoose: (resource: OfferedResource) => void }) {
  const { t } = useTranslation();
  const { groups, error } = useResources();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = (groups ?? []).map((group) => ({ shelf: group, fitting: fitting(group, query) }));
  const all = found.flatMap((one) => one.fitting);
  const visible = all.slice(0, maxVisible);
  const chosen = visible[Math.min(at, visible.length - 1)];
  const statusKey = statusKeyOf(groups, all.length);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !chosen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setAt((visible.indexOf(chosen) + step + visible.length) % visible.length);
    else if (event.key === 'Enter') onChoose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        className="resource-search"
        aria-label={t('chat.resources.search')}
        placeholder={t('chat.resources.search')}
        role="combobox"
        aria-expanded
        aria-controls="resource-options"
        aria-activedescendant={chosen ? optionId(chosen) : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      {error !== null && <ErrorAlert error={error} />}
      {groups === null && error === null && <Skeleton className="late" height={80} mt="sm" />}
      <div
        id="resource-options"
        className="resource-list"
        role="listbox"
        aria-label={t('chat.resources.title')}
        aria-busy={groups === null || groups.some(({ kind }) => kind === 'loading')}
      >
        {found.map(({ shelf: group, fitting: matches }) => {
          const visibleInGroup = matches.filter((one) => visible.includes(one));
          return (
            <ResourceGroup
              key={group.id}
              group={group}
              visible={visibleInGroup}
              chosen={chosen}
              onChoose={onChoose}
            />
          );
        })}
      </div>
      <p className="quiet resource-note" role="status">
        {statusKey !== null &&
          t(`chat.resources.${statusKey}`, { query, count: all.length - maxVisible })}
      </p>
    </>
  );
}

const fitting = (group: ServerResources, query: string): readonly OfferedResource[] =>
  group.kind === 'ready' ? group.resources.filter((one) => matchesResource(one, query)) : [];

/** Returns the key of the status text below the list. */
function statusKeyOf(
  groups: readonly ServerResources[] | null,
  found: number,
): 'noServers' | 'none' | 'noneFound' | 'more' | null {
  if (groups === null || groups.some(({ kind }) => kind === 'loading')) return null;
  if (found > maxVisible) return 'more';
  if (found > 0) return null;
  if (!groups.some(({ kind }) => kind !== 'away')) return 'noServers';
  const isEmpty = groups.every((group) => group.kind !== 'ready' || group.resources.length === 0);
  return isEmpty ? 'none' : 'noneFound';
}
