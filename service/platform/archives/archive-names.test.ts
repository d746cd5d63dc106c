import { expect, it } from 'vitest';
import { misleadsWindows } from './archive-names.ts';

it.each(['con', 'NUL.txt', 'com1', 'COM¹', 'lpt9.tar.gz', 'a:b', 'a?', 'dot.', 'blank ', 'a\nb'])(
  '%j is a name that Windows resolves differently or not at all',
  (name) => expect(misleadsWindows(name)).toBe(true),
);

it.each(['console', 'a.con', 'plugin.db', 'ä ö', '.hidden', ' lead', 'com', 'x'.repeat(255)])(
  '%j is a valid name on Windows',
  (name) => expect(misleadsWindows(name)).toBe(false),
);
