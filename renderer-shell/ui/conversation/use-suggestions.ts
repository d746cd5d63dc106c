import type { KeyboardEvent } from 'react';
import { useEffect, useState } from 'react';
import type { Prompt } from '../../../service/contract/index.ts';
import { api, placeholdersOf } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

interface Suggestion {
  name: string;
  description: string;
  /** Set for prompts of the library; absent for commands of plugins. */
  prompt?: Prompt;
}

const maxSuggestions = 8;

/** The suggested commands and the handlers for choosing one. */
export interface Suggestions {
  commands: readonly Suggestion[];
  chosen: number;
  take(command: Suggestion): void;
  /** Returns true if the suggestions have handled the key. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** A chosen prompt whose placeholders have no values yet. */
  asking: Prompt | null;
  /** Receives the text with the values, or null to cancel. */
  answer: (text: string | null) => void;
}

/**
 * Returns the prompts and plugin commands whose names contain the text, while it consists of only a
 * `/` and a name.
 */
export function useSuggestions(text: string, onTake: (text: string) => void): Suggestions {
  const { client } = useShell();
  const [all, setAll] = useState<readonly Suggestion[]>([]);
  const [chosen, setChosen] = useState(0);
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [asking, setAsking] = useState<Prompt | null>(null);
  const isCommand = /^\/\S*$/.test(text);
  useEffect(() => {
    if (!isCommand) return;
    const reading: Promise<readonly Suggestion[]>[] = [
      client.call(api.prompts.list).then((prompts) => prompts.map(suggestionOf)),
      client.call(api.contributions.commands),
    ];
    void Promise.allSettled(reading).then((found) =>
      setAll(found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))),
    );
  }, [isCommand, client]);

  const typed = text.slice(1).toLowerCase();
  const matches = ({ name }: Suggestion) => name.toLowerCase().includes(typed);
  const commands =
    isCommand && closedAt !== text ? all.filter(matches).slice(0, maxSuggestions) : [];
  const at = Math.min(chosen, commands.length - 1);
  const take = ({ name, prompt }: Suggestion) => {
    if (prompt === undefined) onTake(`/${name} `);
    else if (placeholdersOf(prompt.text).length === 0) onTake(prompt.text);
    else setAsking(prompt);
  };

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
  const answer = (filled: string | null) => {
    setAsking(null);
    if (filled !== null) onTake(filled);
  };
  return { commands, chosen: at, take, onKeyDown, asking, answer };
}

const suggestionOf = (prompt: Prompt): Suggestion => ({
  name: prompt.name,
  description: prompt.description ?? '',
  prompt,
});
