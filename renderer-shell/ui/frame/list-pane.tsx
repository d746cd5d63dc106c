import { ActionIcon, TextInput } from '@mantine/core';
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useShell } from '../../state/shell.ts';
import { ListHead } from './list-head.tsx';

/** Marks the field that the search shortcut focuses. */
const searchField = { 'data-list-search': '' };

interface ListPaneProps {
  title: string;
  hidden: boolean;
  search: { label: string; value: string; onChange: (value: string) => void };
  /** A button that adds an item to the list. */
  action: ReactNode;
  children: ReactNode;
}

/** The list beside the content: a search field and rows, with arrow key navigation. */
export function ListPane({ title, hidden, search, action, children }: ListPaneProps) {
  const { view } = useShell();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event);
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (search.value !== '') search.onChange('');
    else view.patch({ listOpen: false });
    event.preventDefault();
  };
  return (
    <aside className="list" hidden={hidden} aria-label={title} onKeyDown={onKeyDown}>
      <ListHead title={title} action={action} />
      <TextInput
        {...searchField}
        className="list-search"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        placeholder={search.label}
        aria-label={search.label}
        value={search.value}
        onChange={(event) => search.onChange(event.currentTarget.value)}
      />
      {children}
    </aside>
  );
}

/** Shows the list again if the window is too narrow to show it permanently. */
export function ShowListButton({ label }: { label: string }) {
  const { view } = useShell();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      onClick={() => view.patch({ listOpen: true })}
    >
      <IconLayoutSidebar size={18} aria-hidden />
    </ActionIcon>
  );
}

/** Covers the content while the list overlays it. */
export function ListCover() {
  const { view } = useShell();
  return <div className="cover" onClick={() => view.patch({ listOpen: false })} />;
}

/** Moves the focus between the search field and the rows with the up and down keys. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .row')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
