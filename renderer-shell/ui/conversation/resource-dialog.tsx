import { Modal, Skeleton, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceAttachment } from '../../state/chat/attachments.ts';
import type { OfferedResource } from '../../state/chat/offered-resources.ts';
import { fits } from '../../state/chat/offered-resources.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { optionId, ResourceShelf } from './resource-shelf.tsx';
import type { Shelf } from './use-resources.ts';
import { useResources } from './use-resources.ts';

const shownAtOnce = 200;

interface ResourceDialogProps {
  opened: boolean;
  onClose: () => void;
  /** It has gone from the page. */
  onClosed: () => void;
  onChoose: (resource: ResourceAttachment) => void;
}

/** The resources of all servers, found by typing. */
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
  const { shelves, error } = useResources();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = (shelves ?? []).map((shelf) => ({ shelf, fitting: fitting(shelf, query) }));
  const all = found.flatMap((one) => one.fitting);
  const shown = all.slice(0, shownAtOnce);
  const chosen = shown[Math.min(at, shown.length - 1)];
  const note = noteOf(shelves, all.length);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !chosen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((shown.indexOf(chosen) + step + shown.length) % shown.length);
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
      {error !== null && <ErrorNote error={error} />}
      {shelves === null && error === null && <Skeleton className="late" height={80} mt="sm" />}
      <div
        id="resource-options"
        className="resource-list"
        role="listbox"
        aria-label={t('chat.resources.title')}
        aria-busy={shelves === null || shelves.some(({ kind }) => kind === 'loading')}
      >
        {found.map(({ shelf, fitting: ofShelf }) => {
          const shownOfShelf = ofShelf.filter((one) => shown.includes(one));
          return (
            <ResourceShelf
              key={shelf.id}
              shelf={shelf}
              shown={shownOfShelf}
              chosen={chosen}
              onChoose={onChoose}
            />
          );
        })}
      </div>
      <p className="quiet resource-note" role="status">
        {note !== null && t(`chat.resources.${note}`, { query, count: all.length - shownAtOnce })}
      </p>
    </>
  );
}

const fitting = (shelf: Shelf, query: string): readonly OfferedResource[] =>
  shelf.kind === 'ready' ? shelf.resources.filter((one) => fits(one, query)) : [];

/** What there is to say below the list. */
function noteOf(
  shelves: readonly Shelf[] | null,
  found: number,
): 'noServers' | 'none' | 'noneFound' | 'more' | null {
  if (shelves === null || shelves.some(({ kind }) => kind === 'loading')) return null;
  if (found > shownAtOnce) return 'more';
  if (found > 0) return null;
  if (!shelves.some(({ kind }) => kind !== 'away')) return 'noServers';
  const isEmpty = shelves.every((shelf) => shelf.kind !== 'ready' || shelf.resources.length === 0);
  return isEmpty ? 'none' : 'noneFound';
}
