import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

/**
 * Release description for electron-updater: one file per system and architecture, for all its
 * packages.
 */
interface Feed {
  version: string;
  files: { url: string }[];
}

/** Writes a feed beside the packages. Keeps the entries of other packages of the same version. */
export function putFeed(from: string, to: string): void {
  const feed = parse(readFileSync(from, 'utf8')) as Feed;
  const before = existsSync(to) ? (parse(readFileSync(to, 'utf8')) as Feed) : null;
  const urls = new Set(feed.files.map(({ url }) => url));
  const others = before?.version === feed.version ? before.files : [];
  const files = [...feed.files, ...others.filter(({ url }) => !urls.has(url))];
  writeFileSync(to, stringify({ ...feed, files }, { lineWidth: 0 }));
}
