import { describe, expect, it } from 'vitest';
import { judgeCall, judgeCommand } from '../../../testing/judge-calls.ts';
import type { Mode } from './call.ts';

const modes: Mode[] = ['ask-for-approval', 'approve-for-me', 'full-access'];

describe('A mode', () => {
  it.each([
    ['read', ['allow', 'allow', 'allow']],
    ['write', ['ask', 'allow', 'allow']],
    ['execute', ['ask', 'ask', 'allow']],
    ['external', ['ask', 'ask', 'allow']],
    [undefined, ['ask', 'ask', 'allow']],
    ['Read', ['ask', 'ask', 'allow']],
  ])('decides about a tool with the effect %s: %j', async (effect, verdicts) => {
    const call = { tool: 'acme_do', arguments: {}, effect };
    const results = await Promise.all(modes.map((mode) => judgeCall(call, {}, { mode })));
    expect(results.map(({ verdict }) => verdict)).toEqual(verdicts);
  });

  it('allows the web tools, which have their own guard', async () => {
    for (const tool of ['web_search', 'web_fetch'])
      for (const mode of modes) {
        const call = { tool, arguments: { url: 'https://a.test/' }, effect: 'external' };
        expect(await judgeCall(call, {}, { mode })).toMatchObject({ verdict: 'allow' });
      }
  });

  it.each([
    ...['ls -la', 'npm test', 'make build', 'git status && git diff', 'cat a | sort | uniq -c'],
    ...[
      'mkdir -p a/b && cp c a/b',
      '[ -f a ] && ls',
      'ls 2>/dev/null',
      'CI=true npm test',
      'ls *.ts',
    ],
  ])(
    'approve-for-me runs %j in a full sandbox and requires approval in a reduced one [PERMISSION-02, ISOLATION-24]',
    async (command) => {
      const mode = 'approve-for-me';
      expect(await judgeCommand(command, {}, { mode })).toMatchObject({ verdict: 'allow' });
      const reduced = await judgeCommand(command, {}, { mode, sandbox: 'reduced' });
      expect(reduced).toMatchObject({ verdict: 'ask' });
    },
  );

  it.each([
    ...['curl https://a.test', 'npm install x', 'git fetch', 'git -C a pull', 'pip install x'],
    ...['docker run x', 'ls && ssh h', 'echo a >> ~/.bashrc', 'echo a > ../x', 'echo a > /etc/x'],
    ...[
      'echo a > $F',
      '$X',
      'echo a | sh',
      "python3 -c 'x'",
      'rm x',
      'yarn',
      'PATH=x ls',
      'echo a > out.txt',
      'for i in 1 2; do echo $i; done',
      'ls "$HOME"',
      'cat < f',
      'ls & ls',
      'echo {a,b}',
      'xargs curl',
    ],
  ])('approve-for-me requires approval for %j', async (command) => {
    const result = await judgeCommand(command, {}, { mode: 'approve-for-me' });
    expect(result).toMatchObject({ verdict: 'ask' });
  });

  it.each([
    ...['echo a > .git/hooks/pre-commit', 'cp a sub/.git/hooks/post-merge', 'tee .envrc < a'],
    ...['mv a .vscode/tasks.json', 'ln -s a .husky', 'echo a > .mcp.json', 'sed s/a/b/ f > .npmrc'],
    ...['cp a ~/.bashrc', 'PS4=a bash -xc true', 'LESSOPEN=a less f', 'export PAGER=a; man ls'],
    ...['cd .. && echo a > b', 'cd /tmp; echo a > b', 'cd; ls > b', 'cd "$X" && ls > b'],
  ])('approve-for-me requires approval for %j, which runs outside later', async (command) => {
    const result = await judgeCommand(command, {}, { mode: 'approve-for-me' });
    expect(result).toMatchObject({ verdict: 'ask' });
  });

  it.each([
    ...['cat .git/config', 'ls -la .vscode', 'git add .gitattributes', 'touch .gitignore'],
    ...['cd src && touch b', 'grep -r a .github', 'mkdir -p .config && touch .config/b'],
  ])('approve-for-me runs %j, which stays inside', async (command) => {
    const result = await judgeCommand(command, {}, { mode: 'approve-for-me' });
    expect(result).toMatchObject({ verdict: 'allow' });
  });

  it('approve-for-me requires approval for the network unless a rule allows the call', async () => {
    const args = { command: 'npm test', network: true };
    const call = { tool: 'execute_command', arguments: args, effect: 'execute' };
    const mode = 'approve-for-me';
    expect(await judgeCall(call, {}, { mode })).toMatchObject({ verdict: 'ask' });
    const rules = { allow: ['Command(npm test)'] };
    expect(await judgeCall(call, rules, { mode })).toMatchObject({ verdict: 'allow' });
  });

  it('full access requires approval for commands that cannot be read completely', async () => {
    const result = await judgeCommand('ls\n'.repeat(30_000), {}, { mode: 'full-access' });
    expect(result).toMatchObject({ verdict: 'ask', floor: false });
  });

  it('never allows a command that is not a string', async () => {
    for (const args of [{}, { command: 7 }, { command: ['rm'] }, null]) {
      const call = { tool: 'execute_command', arguments: args };
      expect(await judgeCall(call, { allow: ['Command(*)'] })).toMatchObject({ verdict: 'ask' });
    }
  });
});

describe('Rules allowed for the session', () => {
  it('apply together with the stored rules, below deny rules', async () => {
    const sessionRules = ['Command(npm test)'];
    const allowed = await judgeCommand(
      'ls && npm test',
      { allow: ['Command(ls)'] },
      { sessionRules },
    );
    expect(allowed).toMatchObject({ verdict: 'allow' });
    const denied = await judgeCommand('npm test', { deny: ['Command(npm)'] }, { sessionRules });
    expect(denied).toMatchObject({ verdict: 'deny' });
  });
});
