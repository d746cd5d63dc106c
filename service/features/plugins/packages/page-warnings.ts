import type { PluginWarning } from '../../../contract/index.ts';
import { type PageTag, pageTags } from './page-tags.ts';

const script = /^<script\b/i;
const source = /\bsrc\s*=/i;
const event = /\son[a-z]+\s*=/i;
const loaded = /^<(?:script|link|img|iframe|audio|video|source)\b/i;
const remote = /\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i;
const inFolder = /^<(?:script|link|img)\b/i;
const fromRoot = /\b(?:src|href)\s*=\s*["']?\/(?!\/)/i;

const rules: readonly [isBlocked: (tag: PageTag) => boolean, message: string][] = [
  [
    ({ text, hasText }) => hasText && script.test(text) && !source.test(text),
    'has a script in the page, which is blocked. Put it into a file of the package',
  ],
  [
    ({ text }) => event.test(text),
    'has an event attribute such as onclick, which is blocked. Use addEventListener in a script',
  ],
  [
    ({ text }) => loaded.test(text) && remote.test(text),
    'asks for something at another address, which is blocked. Put it into the package',
  ],
  [
    ({ text }) => inFolder.test(text) && fromRoot.test(text),
    'has an address that begins with /, which is not the folder of the page. Use a relative one',
  ],
];

/** What the policy of plugin pages blocks in a page; the path names the line. */
export function pageWarnings(path: string, html: string): PluginWarning[] {
  const found = new Map<string, number>();
  for (const tag of pageTags(html))
    for (const [isBlocked, message] of rules)
      if (!found.has(message) && isBlocked(tag)) found.set(message, tag.index);
  return rules.flatMap(([, message]) => {
    const index = found.get(message);
    return index === undefined ? [] : [{ path: `${path}:${lineAt(html, index)}`, message }];
  });
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
