import { expect, it } from 'vitest';
import { sandboxProfile } from './sandbox-profile.ts';

const home = '/Users/zoë';
const hostRoot = `${home}/Library/Application Support/host/.host`;
const mounts = [
  { path: `${hostRoot}/plugins/a`, inside: '/plugin', writable: false },
  { path: `${hostRoot}/plugin-data/a`, inside: '/data', writable: true },
];

/** Returns the decision of the last rule that matches the path, as the system does. */
function verdict(profile: string, action: 'read' | 'write', path: string): 'allow' | 'deny' {
  let decision: 'allow' | 'deny' = 'allow';
  for (const line of profile.split('\n')) {
    const [, word, rest = ''] = /^\((allow|deny) (.*)\)$/.exec(line) ?? [];
    if (word === undefined || !rest.includes(`file-${action}*`)) continue;
    const paths = [...rest.matchAll(/\(subpath "((?:[^"\\]|\\.)*)"\)/g)].map(([, quoted = '']) =>
      quoted.replaceAll(/\\(.)/g, '$1'),
    );
    if (paths.length === 0 || paths.some((one) => path === one || path.startsWith(`${one}/`)))
      decision = word as 'allow' | 'deny';
  }
  return decision;
}

it.each([
  ['read', '/usr/lib/dyld', 'allow'],
  ['read', `${home}/Documents/a.txt`, 'allow'],
  ['read', `${home}/.ssh/id_ed25519`, 'deny'],
  ['read', `${home}/Library/Keychains/login.keychain-db`, 'deny'],
  ['read', `${hostRoot}/config/.machineid`, 'deny'],
  ['read', `${hostRoot}/plugins/b/manifest.json`, 'deny'],
  ['read', `${hostRoot}/plugin-data/b/x`, 'deny'],
  ['read', `${hostRoot}/plugins/a/backend/worker.mjs`, 'allow'],
  ['read', `${hostRoot}/plugin-data/a/x`, 'allow'],
  ['write', `${hostRoot}/plugin-data/a/x`, 'allow'],
  ['write', `${hostRoot}/plugins/a/backend/worker.mjs`, 'deny'],
  ['write', `${home}/Documents/a.txt`, 'deny'],
  ['write', '/usr/local/bin/x', 'deny'],
  ['write', '/private/tmp/x', 'allow'],
  ['write', '/dev/null', 'allow'],
] as const)(
  'on macOS a worker’s %s of %s: %s [ISOLATION-10, ISOLATION-11]',
  (action, path, expected) => {
    const profile = sandboxProfile({ mounts, network: false }, { home, hostRoot });
    expect(verdict(profile, action, path)).toBe(expected);
  },
);

it('on macOS the network is closed unless the plugin asks for it [ISOLATION-12]', () => {
  const closed = sandboxProfile({ mounts, network: false }, { home, hostRoot });
  const open = sandboxProfile({ mounts, network: true }, { home, hostRoot });
  expect(closed).toContain('(deny network*)');
  expect(open).not.toContain('network');
});

it('on macOS a hidden path stays hidden in a writable folder', () => {
  const workspace = { path: `${home}/Library`, inside: `${home}/Library`, writable: true };
  const sandboxSpec = { mounts: [workspace], hidden: [hostRoot], network: false };
  const profile = sandboxProfile(sandboxSpec, { home, hostRoot });
  expect(verdict(profile, 'write', `${home}/Library/a.txt`)).toBe('allow');
  for (const action of ['read', 'write'] as const)
    expect(verdict(profile, action, `${hostRoot}/config/.machineid`)).toBe('deny');
});

it('a path with quotes and backslashes stays one path of the profile', () => {
  const path = '/odd "name" \\ (subpath "/")';
  const profile = sandboxProfile(
    { mounts: [{ path, inside: '/data', writable: true }], network: false },
    { home, hostRoot },
  );
  expect(profile).toContain('(subpath "/odd \\"name\\" \\\\ (subpath \\"/\\")")');
  expect(verdict(profile, 'write', '/etc/hosts')).toBe('deny');
});

it('on macOS a command without approval cannot write code that runs later', () => {
  const workspace = { path: `${home}/project`, inside: `${home}/project`, writable: true };
  const sandboxSpec = { mounts: [workspace], network: false, refusesProtectedNames: true };
  const lines = sandboxProfile(sandboxSpec, { home, hostRoot }).split('\n');
  const refusal = lines.find((line) => line.includes('(regex '));
  expect(refusal).toMatch(/^\(deny file-write\* /);
  // If two rules match a path, the later one applies.
  expect(lines.indexOf(refusal ?? '')).toBeGreaterThan(
    lines.findIndex((line) => line.startsWith('(allow file-write*')),
  );
  const patterns = [...(refusal ?? '').matchAll(/\(regex #"([^"]+)"\)/g)].map(
    ([, pattern = '']) => new RegExp(pattern),
  );
  const refused = (path: string) => patterns.some((one) => one.test(`${home}/project/${path}`));
  for (const path of [
    ...['.git/hooks/pre-commit', '.git/config', 'a/b/.vscode/tasks.json', '.envrc'],
    ...['.MCP.json', 'a/.VSCode/x', '.Git/Hooks/pre-push', '.config/fish/config.fish'],
    'a/My.code-workspace',
  ])
    expect(refused(path), path).toBe(true);
  for (const path of ['.git/index', '.git/objects/aa/bb', 'src/vscode.ts', 'config', 'a.envrc'])
    expect(refused(path), path).toBe(false);
  const allowed = sandboxProfile({ mounts: [workspace], network: false }, { home, hostRoot });
  expect(allowed).not.toContain('regex');
});
