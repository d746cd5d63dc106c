import type { ChatMessage } from '../../../contract/index.ts';
import { bodyOf, type Contributions, readPluginText } from '../../contributions/index.ts';
import { textOf } from '../conversations/message-text.ts';

/** Prompts from other sources that can be called like commands; null for an unknown name. */
export interface PromptSource {
  text(name: string, args: readonly string[]): Promise<string | null>;
}

/** Sources of the texts of `/commands`, in this order. */
export interface CommandSources {
  contributions: Contributions;
  prompts: PromptSource;
}

const commandLine = /^\/([\p{L}\p{N}_.:-]+)(?:\s+([\s\S]*))?$/u;

/**
 * Replaces `/name arguments` in the user's last message with the text of the command, for the model
 * only; the stored message stays as typed.
 */
export async function expandCommand(
  messages: readonly ChatMessage[],
  { contributions, prompts }: CommandSources,
): Promise<ChatMessage[]> {
  const last = messages.at(-1);
  const [, name, argumentText = ''] =
    last?.role === 'user' ? (commandLine.exec(textOf(last.content).trim()) ?? []) : [];
  if (last === undefined || name === undefined) return [...messages];
  const own = await ofPlugin(contributions, name, argumentText.trim());
  const expanded = own ?? (await prompts.text(name, splitArguments(argumentText)));
  if (expanded === null) return [...messages];
  const others = Array.isArray(last.content)
    ? last.content.filter(({ type }) => type !== 'text')
    : [];
  const content =
    others.length === 0 ? expanded : [{ type: 'text' as const, text: expanded }, ...others];
  return [...messages.slice(0, -1), { ...last, content }];
}

async function ofPlugin(
  contributions: Contributions,
  name: string,
  argumentText: string,
): Promise<string | null> {
  const command = (await contributions.commands()).find((one) => one.name === name);
  const text = command ? await readPluginText(command.root, command.path) : null;
  return text === null ? null : withArguments(bodyOf(text), argumentText);
}

const splitArguments = (text: string): string[] =>
  (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));

/**
 * Replaces `$ARGUMENTS` by all arguments and `$1` to `$9` by one each; arguments without a
 * placeholder are added at the end.
 */
function withArguments(body: string, argumentText: string): string {
  const args = splitArguments(argumentText);
  const placeholders = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;
  if (!placeholders.test(body)) return argumentText === '' ? body : `${body}\n\n${argumentText}`;
  return body.replace(placeholders, (_, number: string | undefined) =>
    number === undefined ? argumentText : (args[Number(number) - 1] ?? ''),
  );
}
