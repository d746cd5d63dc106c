import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../testing/in-english.ts';
import { gitAddress } from './git-address.ts';

const onlyThese = 'Only https, http and file addresses can be used.';

describe('the address of a repository', () => {
  test.each([
    ['https://github.com/o/r.git', 'https://github.com/o/r.git'],
    ['https://github.com/o/r', 'https://github.com/o/r.git'],
    ['https://github.com/o/r/', 'https://github.com/o/r.git'],
    ['https://GitHub.com/Owner/Repo.js.git/', 'https://github.com/Owner/Repo.js.git'],
    ['HTTPS://github.com/o/r', 'https://github.com/o/r.git'],
    ['http://github.com/o/r', 'http://github.com/o/r.git'],
    ['o/r', 'https://github.com/o/r.git'],
    ['o/r.git', 'https://github.com/o/r.git'],
    [' o/r_x-1.y ', 'https://github.com/o/r_x-1.y.git'],
    ['HTTPS://Git.Example.com:8443/a/b/c', 'https://git.example.com:8443/a/b/c'],
    ['http://127.0.0.1:8080/x.git', 'http://127.0.0.1:8080/x.git'],
    ['https://[::1]/x.git', 'https://[::1]/x.git'],
    ['FILE:///srv/git/x', 'file:///srv/git/x'],
    ['file:///srv/a/../b', 'file:///srv/b'],
    ['https://git.example.com/@scope/x:y', 'https://git.example.com/@scope/x:y'],
  ])('%j is accepted', (written, url) => {
    expect(gitAddress(written)).toEqual({ url });
  });

  test.each([
    ['', 'The address of its repository is empty.'],
    ['-oProxyCommand=x', 'The address of its repository starts with "-".'],
    ['--upload-pack=touch /x', 'The address of its repository starts with "-".'],
    ['ext::sh -c touch% /tmp/p', `Its repository needs a helper program ("::"). ${onlyThese}`],
    ['EXT::sh', `Its repository needs a helper program ("::"). ${onlyThese}`],
    ['fd::17', `Its repository needs a helper program ("::"). ${onlyThese}`],
    ['git@h:p', `Its repository has an SSH address ("user@host:"). ${onlyThese}`],
    ['git@github.com:o/r.git', `Its repository has an SSH address ("user@host:"). ${onlyThese}`],
    ['ssh://git@h/p', `Its repository has an address of the kind "ssh:". ${onlyThese}`],
    ['SSH://h/p', `Its repository has an address of the kind "ssh:". ${onlyThese}`],
    ['git://h/p', `Its repository has an address of the kind "git:". ${onlyThese}`],
    ['git+ssh://h/p', `Its repository has an address of the kind "git+ssh:". ${onlyThese}`],
    ['ftp://h/p', `Its repository has an address of the kind "ftp:". ${onlyThese}`],
    [
      'javascript:alert(1)',
      `Its repository has an address of the kind "javascript:". ${onlyThese}`,
    ],
    ['C:/repositories/x', `Its repository has an address of the kind "c:". ${onlyThese}`],
    ['/srv/git/x', `Its repository is specified as a path. ${onlyThese}`],
    ['../x', `Its repository is specified as a path. ${onlyThese}`],
    ['~/x', `Its repository is specified as a path. ${onlyThese}`],
    ['github.com/o/r', `The address of its repository is incomplete. ${onlyThese}`],
    ['word', `The address of its repository is incomplete. ${onlyThese}`],
    ['o/..', 'The address of its repository is not complete.'],
    ['o/.git', 'The address of its repository is not complete.'],
    ['https://', 'The address of its repository is not complete.'],
    ['https:github.com/o/r', 'The address of its repository is not complete.'],
    ['https://h:99999/x', 'The address of its repository is not complete.'],
    ['https://me@h/x', 'The address of its repository contains a user name or a password.'],
    ['https://me:secret@h/x', 'The address of its repository contains a user name or a password.'],
    ['https://h/x?token=1', 'The address of its repository contains a "?" or a "#".'],
    ['https://h/x#main', 'The address of its repository contains a "?" or a "#".'],
    ['https://h/x?', 'The address of its repository contains a "?" or a "#".'],
    ['file://server/share', 'Its repository has a file address on another computer.'],
    ['https://h/\nx', 'The address of its repository has characters that an address cannot have.'],
    [
      'https://h\\@evil.example/x',
      'The address of its repository has characters that an address cannot have.',
    ],
    [
      'https://h/x%0d%0ahost=evil',
      'The address of its repository has characters that an address cannot have.',
    ],
    [
      'https://h/\u0000',
      'The address of its repository has characters that an address cannot have.',
    ],
    [`https://h/${'x'.repeat(3_000)}`, 'The address of its repository is too long.'],
  ])('%j is refused', (written, reason) => {
    expect(inEnglish(gitAddress(written))).toEqual({ reason });
  });

  test('with hostile content is parsed quickly', () => {
    const startedAt = performance.now();
    for (let time = 0; time < 200; time += 1) {
      expect(gitAddress('@'.repeat(2_000))).toHaveProperty('reason');
      expect(gitAddress(`${'a@'.repeat(1_000)}/`)).toHaveProperty('reason');
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
