import type { KeyboardEvent } from 'react';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { CommandSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

type Command = z.output<typeof CommandSummary>;

const maxSuggestions = 8;

/** Commands that fit the text after a slash; `chosen` is the index of the highlighted one. */
export interface Suggestions {
  commands: readonly Command[];
  chosen: number;
  take(command: Command): void;
  /** Whether the key was one for the suggestions. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** The commands of plugins that begin as the text does, while it is no more than a `/` and a name. */
export function useSuggestions(text: string, onTake: (text: string) => void): Suggestions {
  const { client } = useShell();
  const [all, setAll] = useState<readonly Command[]>([]);
  const [chosen, setChosen] = useState(0);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const isCommand = /^\/\S*$/.test(text);
  useEffect(() => {
    if (!isCommand) return;
    client.call(api.contributions.commands).then(setAll, () => undefined);
  }, [isCommand, client]);

  const typed = text.slice(1).toLowerCase();
  const fits = ({ name }: Command) => name.toLowerCase().includes(typed);
  const commands = isCommand && closedAt !== text ? all.filter(fits).slice(0, maxSuggestions) : [];
  const at = Math.min(chosen, commands.length - 1);
  const take = ({ name }: Command) => onTake(`/${name} `);

  const onKeyDown = (event: KeyboardEvent): boolean => {
    const command = commands[at];
    if (!command) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + commands.length) % commands.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(command);
    else if (event.key === 'Escape') setClosedAt(text);
    else return false;
    event.preventDefault();
    return true;
  };
  return { commands, chosen: at, take, onKeyDown };
}
