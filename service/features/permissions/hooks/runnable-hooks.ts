import type { z } from 'zod';
import type { Hook } from '../../../contract/settings.ts';
import {
  hookVariables,
  type PluginHook,
  type PluginPlaces,
  type TrustedParts,
} from '../../contributions/index.ts';
import { missingReason, type PluginConfigs } from '../../plugins/index.ts';
import { hookEventOf, type RunnableHook } from './runnable-hook.ts';
import { textOf } from '../../../messages/index.ts';

export type UserHook = z.output<typeof Hook>;

/** The settings and trusted plugins that hooks come from. */
export interface HookSources {
  /** The hooks in the current settings. */
  own: readonly UserHook[];
  trusted: Pick<TrustedParts, 'now' | 'isTrusted'>;
  /** Returns the data folder of a plugin. */
  dataDirectory: (pluginId: string) => string;
  configs: Pick<PluginConfigs, 'textsOf' | 'missingOf'>;
}

/**
 * Returns the hooks that may run now: those of the settings first, then the supported hooks of
 * enabled plugins whose current content is trusted.
 */
export async function runnableHooks(sources: HookSources): Promise<RunnableHook[]> {
  const { own, trusted, dataDirectory, configs } = sources;
  const found = await trusted.now();
  return [
    ...own.filter(({ enabled }) => enabled).map(userHook),
    ...found.flatMap(({ plugin, hooks }) => {
      const { directory: root, manifest } = plugin;
      const settings = configs.textsOf(manifest);
      const roots = { root, data: dataDirectory(plugin.id), settings };
      const missing = configs.missingOf(manifest);
      const problem =
        missing.length === 0 ? {} : { problem: textOf(missingReason(manifest, missing)) };
      const mayStillRun = (): Promise<boolean> => trusted.isTrusted(plugin);
      return hooks
        .flatMap((hook) => pluginHook(hook, roots, mayStillRun))
        .map((hook) => ({ ...hook, ...problem }));
    }),
  ];
}

/** Converts a hook of the settings; it runs in the workspace. */
export function userHook(hook: UserHook): RunnableHook {
  const { name, event, matcher, timeoutSeconds, failClosed } = hook;
  return {
    name,
    event,
    matcher: matcher === '' ? null : matcher,
    timeoutSeconds,
    failClosed,
    ...(hook.type === 'http'
      ? { type: hook.type, url: hook.url }
      : { type: hook.type, command: hook.command }),
    cwd: null,
    variables: {},
    plugin: null,
  };
}

function pluginHook(
  hook: PluginHook,
  roots: PluginPlaces,
  mayStillRun: () => Promise<boolean>,
): RunnableHook[] {
  const { name, matcher, type, command, args, shell, url, timeoutSeconds, failClosed } = hook;
  const event = hookEventOf(hook.event);
  const isOurs = event !== null && (type === 'command' || type === 'http');
  if (!hook.supported || !hook.enabled || !isOurs) return [];
  return [
    {
      name,
      event,
      matcher,
      type,
      command,
      args,
      shell,
      url,
      timeoutSeconds,
      failClosed,
      mayStillRun,
      cwd: roots.root,
      variables: hookVariables(roots),
      plugin: roots,
    },
  ];
}
