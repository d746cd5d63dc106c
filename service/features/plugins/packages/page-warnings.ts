import type { PluginWarning } from '../../../contract/index.ts';

const patterns: readonly [RegExp, string][] = [
  [
    /<script\b(?![^>]*\bsrc\s*=)[^>]*>\s*[^<\s]/gi,
    'has a script in the page, which is blocked. Put it into a file of the package',
  ],
  [
    /<[a-z][^>]*\son[a-z]+\s*=/gi,
    'has an event attribute such as onclick, which is blocked. Use addEventListener in a script',
  ],
  [
    /<(?:script|link|img|iframe|audio|video|source)\b[^>]*\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//gi,
    'asks for something at another address, which is blocked. Put it into the package',
  ],
  [
    /<(?:script|link|img)\b[^>]*\b(?:src|href)\s*=\s*["']?\/(?!\/)/gi,
    'has an address that begins with /, which is not the folder of the page. Use a relative one',
  ],
];

/** What the policy of plugin pages blocks in a page; the path names the line. */
export function pageWarnings(path: string, html: string): PluginWarning[] {
  return patterns.flatMap(([pattern, message]) => {
    const found = pattern.exec(html);
    pattern.lastIndex = 0;
    return found === null ? [] : [{ path: `${path}:${lineAt(html, found.index)}`, message }];
  });
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
