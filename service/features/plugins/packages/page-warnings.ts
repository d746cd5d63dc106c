import { fieldProblem } from '../../../core/field-problem.ts';
import type { PluginWarning } from '../../../contract/index.ts';
import { type PageTag, pageTags } from './page-tags.ts';
import { type Message, msg } from '../../../messages/index.ts';

const script = /^<script\b/i;
const source = /\bsrc\s*=/i;
const form = /^<form\b/i;
const event = /\son[a-z]+\s*=/i;
const loaded = /^<(?:script|link|img|iframe|audio|video|source)\b/i;
const remote = /\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i;
const inFolder = /^<(?:script|link|img)\b/i;
const fromRoot = /\b(?:src|href)\s*=\s*["']?\/(?!\/)/i;

const rules: readonly [isBlocked: (tag: PageTag) => boolean, message: Message][] = [
  [
    ({ text, hasText }) => hasText && script.test(text) && !source.test(text),
    msg('package.inlineScript'),
  ],
  [({ text }) => event.test(text), msg('package.eventAttribute')],
  [({ text }) => loaded.test(text) && remote.test(text), msg('package.otherAddress')],
  [({ text }) => form.test(text), msg('package.pageForm')],
  [({ text }) => inFolder.test(text) && fromRoot.test(text), msg('package.rootAddress')],
];

/**
 * Returns warnings about parts of a page that the policy of plugin pages blocks; the path names the
 * line.
 */
export function pageWarnings(path: string, html: string): PluginWarning[] {
  const found = new Map<Message, number>();
  for (const tag of pageTags(html))
    for (const [isBlocked, message] of rules)
      if (!found.has(message) && isBlocked(tag)) found.set(message, tag.index);
  return rules.flatMap(([, message]) => {
    const index = found.get(message);
    return index === undefined
      ? []
      : [fieldProblem({ path: `${path}:${lineAt(html, index)}`, message })];
  });
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
