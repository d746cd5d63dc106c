import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import {
  filledPrompt,
  type NewPrompt,
  placeholdersOf,
  type Prompt,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { PromptSource } from '../skills/expand-command.ts';
import type { PromptStore } from './prompt-store.ts';

const maxPrompts = 1_000;

/** The user's prompts, which replace `/name` in a chat. Names are unique, ignoring case. */
export class PromptLibrary implements PromptSource {
  private readonly store: PromptStore;
  private readonly changing = new Mutex();

  constructor(store: PromptStore) {
    this.store = store;
  }

  list(): Promise<Prompt[]> {
    return this.store.list();
  }

  /** @throws HostError 409 `prompt_exists`, `too_many_prompts` */
  add(fields: NewPrompt): Promise<Prompt> {
    return this.changing.runExclusive(async () => {
      const existing = await this.store.list();
      if (existing.length >= maxPrompts) throw tooMany();
      requireFreeName(existing, fields.name);
      const prompt = { ...fields, id: randomUUID() };
      await this.store.add(prompt);
      return prompt;
    });
  }

  /** @throws HostError 404 `unknown_prompt`, 409 `prompt_exists` */
  replace(id: string, fields: NewPrompt): Promise<Prompt> {
    return this.changing.runExclusive(async () => {
      const existing = await this.store.list();
      if (!existing.some((one) => one.id === id)) throw unknown();
      requireFreeName(
        existing.filter((one) => one.id !== id),
        fields.name,
      );
      const prompt = { ...fields, id };
      await this.store.replace(prompt);
      return prompt;
    });
  }

  /** @throws HostError 404 `unknown_prompt` */
  async remove(id: string): Promise<void> {
    if (!(await this.store.remove(id))) throw unknown();
  }

  /**
   * Returns the text of `/name` with its placeholders filled in by position. The last placeholder
   * receives the remaining words; words without a placeholder are added at the end. Null for an
   * unknown name.
   */
  async text(name: string, args: readonly string[]): Promise<string | null> {
    const prompt = (await this.store.list()).find((one) => isSameName(one.name, name));
    if (!prompt) return null;
    const names = placeholdersOf(prompt.text);
    if (names.length === 0) return [prompt.text, args.join(' ')].filter(Boolean).join('\n\n');
    const last = names.length - 1;
    const values = names.map((one, index): [string, string] => [
      one,
      index === last ? args.slice(index).join(' ') : (args[index] ?? ''),
    ]);
    return filledPrompt(prompt.text, new Map(values));
  }
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function requireFreeName(others: readonly Prompt[], name: string): void {
  if (others.some((one) => isSameName(one.name, name)))
    throw new HostError('conflict', 'prompt_exists', msg('chat.promptExists', { name }));
}

const unknown = (): HostError =>
  new HostError('missing', 'unknown_prompt', msg('chat.promptUnknown'));

const tooMany = (): HostError =>
  new HostError('conflict', 'too_many_prompts', msg('chat.tooManyPrompts', { limit: maxPrompts }));
