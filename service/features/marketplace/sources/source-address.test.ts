import { describe, expect, it } from 'vitest';
import { readSourceAddress } from './source-address.ts';

describe('the address of a source', () => {
  it.each([
    ['owner/repo', 'https://github.com/owner/repo.git'],
    ['owner/repo.git', 'https://github.com/owner/repo.git'],
    ['Some-Owner/re.po_1', 'https://github.com/Some-Owner/re.po_1.git'],
    ['https://github.com/owner/repo', 'https://github.com/owner/repo.git'],
    ['https://github.com/owner/repo/', 'https://github.com/owner/repo.git'],
    ['HTTPS://GitHub.com/owner/repo.git', 'https://github.com/owner/repo.git'],
    ['https://gitlab.com/owner/repo', 'https://gitlab.com/owner/repo.git'],
    ['https://example.com/group/sub/repo.git', 'https://example.com/group/sub/repo.git'],
    ['http://example.com/repo.git#readme', 'http://example.com/repo.git'],
    ['file:///no/such/folder', 'file:///no/such/folder'],
    ['file:///no/such/folder/', 'file:///no/such/folder'],
    ['file://localhost/no/such/repo.git', 'file:///no/such/repo.git'],
  ])('%s is a repository', async (typed, url) => {
    await expect(readSourceAddress(typed)).resolves.toEqual({ url, form: 'repository' });
  });

  it.each([
    ['https://example.com/catalog.json', 'https://example.com/catalog.json'],
    ['HTTP://EXAMPLE.com/catalog.json#top', 'http://example.com/catalog.json'],
    ['https://example.com/catalog.json?v=2', 'https://example.com/catalog.json?v=2'],
    ['https://github.com/owner/repo/raw/m.json', 'https://github.com/owner/repo/raw/m.json'],
    ['file:///no/such/catalog.json?x#y', 'file:///no/such/catalog.json'],
  ])('%s is a document', async (typed, url) => {
    await expect(readSourceAddress(typed)).resolves.toEqual({ url, form: 'document' });
  });

  it.each(['https://example.com/store', 'http://example.com', 'https://github.com/owner'])(
    '%s may be either',
    async (typed) => {
      const { form } = await readSourceAddress(typed);
      expect(form).toBe('either');
    },
  );

  it('a parsed address is parsed to itself', async () => {
    for (const typed of ['owner/repo', 'file:///no/such/folder/', 'HTTPS://EXAMPLE.com/a/../b']) {
      const first = await readSourceAddress(typed);
      await expect(readSourceAddress(first.url)).resolves.toEqual(first);
    }
  });
});
