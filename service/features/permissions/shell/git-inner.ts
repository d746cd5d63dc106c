import { gitOpacity, gitPayloads, gitSubcommandAt } from './git-command.ts';
import type { Word } from './segment.ts';
import { type Inner, noInner, takePayload } from './unwrap.ts';
import { msg } from '../../../messages/index.ts';

/** Returns the commands that git runs, for any shell. */
export function gitInner(argv: readonly Word[]): Inner {
  const inner = noInner();
  const at = gitSubcommandAt(argv);
  if (at === 'unknown') inner.opaque = msg('command.subcommandUnclear');
  if (argv.some(({ value }) => /^--(?:config-env|exec-path=)/.test(value)))
    inner.opaque ??= msg('command.gitSettingsUnclear');
  inner.opaque ??= gitOpacity(argv, typeof at === 'number' ? at : argv.length) ?? undefined;
  const { payloads, commands } = gitPayloads(argv, typeof at === 'number' ? at : argv.length);
  for (const word of payloads) takePayload(word, inner);
  for (const command of commands) inner.commands.push({ argv: command, assignments: [] });
  return inner;
}
