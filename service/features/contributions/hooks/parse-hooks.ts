import { printable } from '../../../platform/archives/archive-problems.ts';
import { hookName, withUniqueNames } from './hook-names.ts';
import { isKnownEvent } from './hook-events.ts';
import { type Fields, type HookWarning, isFields, type PluginHook } from './plugin-hook.ts';
import { readHandler } from './read-handler.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** People do not review longer documents before they trust them. */
const maxHooks = 1_000;
const maxWarnings = 100;

interface Reading {
  pluginId: string;
  from: string;
  platform: NodeJS.Platform;
  hooks: PluginHook[];
  warnings: HookWarning[];
}

/** One or more handlers that share an event and a matcher. */
interface Group {
  event: string;
  /** Position in the document, for warnings. */
  at: string;
  fields: Fields;
}

/**
 * Parses the hooks of one document, named `plugin/<id>/<name>`, in any of the usual shapes:
 * `{hooks: {Event: [{matcher, hooks: […]}]}}`, the same without `hooks`, handlers without a group,
 * or a list of hooks with their `event`. `from` is its file or field, for warnings. Hooks of
 * unknown events and kinds are kept, marked as unsupported. Never throws; names are unique within
 * the document.
 */
export function parseHooks(
  document: unknown,
  pluginId: string,
  from: string,
  platform: NodeJS.Platform = process.platform,
): { hooks: PluginHook[]; warnings: HookWarning[] } {
  const reading: Reading = { pluginId, from, platform, hooks: [], warnings: [] };
  readDocument(document, '', reading);
  const { hooks, warnings } = reading;
  if (hooks.length === 0 && warnings.length === 0)
    warn(reading, '', msg('contributions.hasNoHooks'));
  if (hooks.length > maxHooks) {
    warn(reading, '', msg('contributions.tooManyHooks', { limit: maxHooks }));
  }
  return { hooks: withUniqueNames(hooks.slice(0, maxHooks)), warnings };
}

function readDocument(document: unknown, at: string, reading: Reading): void {
  if (Array.isArray(document)) readList(document, at, reading);
  else if (!isFields(document)) warn(reading, at, msg('contributions.notListOrObject'));
  else if (Array.isArray(document.hooks)) readList(document.hooks, `${at}.hooks`, reading);
  else if (isFields(document.hooks)) readEvents(document.hooks, `${at}.hooks`, reading);
  else if (document.hooks !== undefined)
    warn(reading, `${at}.hooks`, msg('contributions.notListOrObject'));
  else if (looksLikeEvents(document)) {
    const lists = Object.entries(document).filter(([, groups]) => Array.isArray(groups));
    readEvents(Object.fromEntries(lists), at, reading);
  }
}

/** Without a surrounding `hooks`, a map of events must contain at least one known event. */
function looksLikeEvents(document: Fields): boolean {
  return Object.entries(document).some(
    ([event, groups]) => isKnownEvent(event) && Array.isArray(groups),
  );
}

function readEvents(events: Fields, at: string, reading: Reading): void {
  for (const [event, groups] of Object.entries(events)) {
    const eventPath = `${at}.${event}`;
    if (!Array.isArray(groups)) {
      warn(reading, eventPath, msg('contributions.notList'));
      continue;
    }
    groups.forEach((fields: unknown, index) => {
      const where = `${eventPath}[${index}]`;
      if (isFields(fields)) readGroup({ event, at: where, fields }, reading);
      else warn(reading, where, msg('contributions.notObject'));
    });
  }
}

/** A list of hooks with an `event` each; it may contain maps of events, too. */
function readList(list: readonly unknown[], at: string, reading: Reading): void {
  list.forEach((fields, index) => {
    const where = `${at}[${index}]`;
    if (!isFields(fields)) warn(reading, where, msg('contributions.notObject'));
    else if (typeof fields.event === 'string') {
      readGroup({ event: fields.event, at: where, fields }, reading);
    } else if (isFields(fields.hooks)) readEvents(fields.hooks, `${where}.hooks`, reading);
    else if (looksLikeEvents(fields)) readEvents(fields, where, reading);
    else warn(reading, where, msg('contributions.hookWithoutEvent'));
  });
}

function readGroup(group: Group, reading: Reading): void {
  const { fields, at } = group;
  if (Array.isArray(fields.hooks)) {
    fields.hooks.forEach((handler: unknown, index) => {
      if (isFields(handler)) addHook(handler, group, reading);
      else warn(reading, `${at}.hooks[${index}]`, msg('contributions.notObject'));
    });
  } else if (fields.hooks === undefined && isHandler(fields)) addHook(fields, group, reading);
  else warn(reading, at, msg('contributions.hasNoHooks'));
}

const handlerKeys = ['type', 'command', 'url', 'prompt', 'bash', 'powershell', 'commandWindows'];

function isHandler(fields: Fields): boolean {
  return handlerKeys.some((key) => Object.hasOwn(fields, key));
}

function addHook(handler: Fields, { event, fields }: Group, reading: Reading): void {
  // One hook above the limit shows that there were too many.
  if (reading.hooks.length > maxHooks) return;
  const matcher = handler.matcher ?? fields.matcher;
  const { enabled, disabled } = fields;
  const hook = readHandler(
    { enabled, disabled, ...handler },
    { event, matcher, platform: reading.platform },
  );
  const written = [handler.name, handler.id, fields.name, fields.id];
  const name = `plugin/${reading.pluginId}/${hookName(hook, written)}`;
  reading.hooks.push({ name, ...hook });
}

function warn(reading: Reading, at: string, reason: Message): void {
  if (reading.warnings.length >= maxWarnings) return;
  const part = at === '' ? reading.from : `${reading.from} ${at.replace(/^\./, '')}`;
  reading.warnings.push({ part: printable(part), reason });
}
