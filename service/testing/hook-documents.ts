/**
 * Expected hook: the end of its name (without its digest), event, and the reason why it does not
 * run.
 */
export type ExpectedHook = [
  name: string,
  event: string,
  problem?: 'event' | 'type' | 'if' | 'command',
];

/** A hooks file and the hooks that it must give. */
export interface HookDocument {
  document: unknown;
  /** Empty if the document is not a hooks file. */
  expected: ExpectedHook[];
}

const root = '${CLAUDE_PLUGIN_ROOT}';
const codexRoot = '${PLUGIN_ROOT}';
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const group = (...hooks: object[]) => ({ hooks });
const matched = (matcher: string, ...hooks: object[]) => ({ matcher, hooks });
const foreignEvents = [
  ...['SessionStart', 'SessionEnd', 'Setup', 'UserPromptSubmit', 'UserPromptExpansion'],
  ...['PermissionRequest', 'PermissionDenied', 'PostToolBatch', 'SubagentStart', 'SubagentStop'],
  ...['PreCompact', 'PostCompact', 'ConfigChange', 'DirectoryAdded', 'InstructionsLoaded'],
  ...['Elicitation', 'ElicitationResult', 'TaskCreated', 'TeammateIdle', 'WorktreeCreate'],
  'WorktreeRemove',
];
const kebab = (event: string): string => event.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

/** Hooks files in every format that plugins use; written for this project. */
export const hookDocuments: Record<string, HookDocument> = {
  'a fractional time limit': {
    document: { hooks: { Stop: [group(command('node hooks/bye.mjs', { timeout: 0.5 }))] } },
    expected: [['run-complete-bye', 'run_complete']],
  },
  'a handler without its command': {
    document: { hooks: { Stop: [group({ type: 'command', timeout: 10 })] } },
    expected: [['run-complete', 'run_complete', 'command']],
  },
  'settings with events and types that other tools have': {
    document: {
      allowedHttpHookUrls: ['https://notes.acme.example/*'],
      hooks: {
        ...Object.fromEntries(
          foreignEvents.map((event) => [event, [group(command('echo noted'))]]),
        ),
        Notification: [
          group(command('echo seen'), {
            type: 'http',
            url: 'http://127.0.0.1:9100/notes',
            headers: { 'X-Acme': '$ACME_KEY' },
            timeout: 15,
          }),
        ],
        PreToolUse: [
          matched('Write', command('echo soon', { statusMessage: 'Looking' })),
          matched('Bash', command('echo soon', { async: true, timeout: 5 })),
        ],
        PostToolUse: [
          matched('Edit', command('git diff'), {
            type: 'mcp_tool',
            server: 'acme',
            tool: 'inspect',
            input: { file: '${tool_input.file_path}' },
          }),
          matched('Read', { type: 'prompt', prompt: 'Is this private? $ARGUMENTS' }),
        ],
        PostToolUseFailure: [group(command('echo failed'))],
        Stop: [group({ type: 'prompt', prompt: 'Is all done? $ARGUMENTS' })],
        TaskCompleted: [group({ type: 'agent', prompt: 'Check it: $ARGUMENTS' })],
      },
      httpHookAllowedEnvVars: ['ACME_KEY'],
    },
    expected: [
      ...foreignEvents.map((event): ExpectedHook => [kebab(event), event, 'event']),
      ['notification', 'Notification', 'event'],
      ['notification', 'Notification', 'event'],
      ['pre-tool-use', 'pre_tool_use'],
      ['pre-tool-use', 'pre_tool_use'],
      ['post-tool-use', 'post_tool_use'],
      ['post-tool-use', 'post_tool_use', 'type'],
      ['post-tool-use', 'post_tool_use', 'type'],
      ['post-tool-use-failure', 'post_tool_use_failure'],
      ['run-complete', 'run_complete', 'type'],
      ['task-completed', 'TaskCompleted', 'event'],
    ],
  },
  'handlers without groups, in camel case': {
    document: {
      version: 1,
      hooks: {
        sessionStart: [{ command: 'node hooks/hello.js', event: 'sessionStart' }],
        beforeShellExecution: [
          { command: 'npx acme-guard@1.0.0', description: 'Guards the shell' },
          { command: 'node hooks/shell.js', event: 'beforeShellExecution' },
        ],
        afterMCPExecution: [{ command: 'node hooks/after-mcp.js' }],
        beforeTabFileRead: [{ command: 'node hooks/tab.js' }],
        stop: [{ command: 'node hooks/bye.js', event: 'stop' }],
      },
    },
    expected: [
      ['session-start-hello', 'sessionStart', 'event'],
      ['before-shell-execution', 'beforeShellExecution', 'event'],
      ['before-shell-execution-shell', 'beforeShellExecution', 'event'],
      ['after-mcpexecution-after-mcp', 'afterMCPExecution', 'event'],
      ['before-tab-file-read-tab', 'beforeTabFileRead', 'event'],
      ['run-complete-bye', 'run_complete'],
    ],
  },
  'a list that only describes events': {
    document: {
      description: 'Which events the acme plugin knows.',
      events: [
        { event: 'PreToolUse', id: 'acme:before', script: 'hooks/before.js', blocking: false },
        { event: 'SessionEnd', id: 'acme:end', script: 'hooks/end.js', blocking: false },
      ],
    },
    expected: [],
  },
  'the schema of hooks files': {
    document: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Hooks',
      oneOf: [{ type: 'object', properties: { hooks: { type: 'object' } } }],
      $defs: { hook: { type: 'object', required: ['type', 'command'] } },
    },
    expected: [],
  },
  'an empty list of another tool': { document: { name: 'site', hooks: [] }, expected: [] },
  'scripts below the root of the plugin': {
    document: {
      description: 'Acme rules',
      hooks: Object.fromEntries(
        ['PreToolUse', 'PostToolUse', 'Stop', 'UserPromptSubmit'].map((event) => [
          event,
          [group(command(`python3 ${root}/hooks/${kebab(event)}.py`, { timeout: 10 }))],
        ]),
      ),
    },
    expected: [
      ['pre-tool-use-pre-tool-use', 'pre_tool_use'],
      ['post-tool-use-post-tool-use', 'post_tool_use'],
      ['run-complete-stop', 'run_complete'],
      ['user-prompt-submit-user-prompt-submit', 'UserPromptSubmit', 'event'],
    ],
  },
  'the root in quotes': {
    document: {
      hooks: { PreToolUse: [matched('Bash', command(`"${root}"/bin/guard.sh acme-check`))] },
    },
    expected: [['pre-tool-use-guard', 'pre_tool_use']],
  },
  'conditions and wake-ups': {
    document: {
      hooks: {
        PostToolUse: [
          matched('Edit|Write|MultiEdit', command(`bash "${root}/run.sh" "${root}/review.py"`)),
          matched(
            'Bash',
            command(`bash "${root}/run.sh"`, { if: 'Bash(git commit:*)', asyncRewake: true }),
            command(`bash "${root}/run.sh"`, { if: 'Bash(git tag:*)', rewakeMessage: 'Look.' }),
          ),
        ],
        Stop: [group(command(`bash "${root}/run.sh" "${root}/review.py"`, { asyncRewake: true }))],
      },
    },
    expected: [
      ['post-tool-use-review', 'post_tool_use'],
      ['post-tool-use-run', 'post_tool_use', 'if'],
      ['post-tool-use-run', 'post_tool_use', 'if'],
      ['run-complete-review', 'run_complete'],
    ],
  },
  'a pattern as the matcher of a foreign event': {
    document: {
      hooks: { UserPromptExpansion: [matched('^acme:menu$', command(`sh "${root}/banner.sh"`))] },
    },
    expected: [['user-prompt-expansion-banner', 'UserPromptExpansion', 'event']],
  },
  'a command for Windows': {
    document: {
      hooks: {
        PreToolUse: [
          matched(
            'mcp__.*acme.*',
            command(`node "${root}/hooks/gate.cjs"`, {
              commandWindows: `if (Get-Command node) { node "$env:CLAUDE_PLUGIN_ROOT\\gate.cjs" }`,
              timeout: 30,
            }),
          ),
        ],
        SubagentStart: [group(command(`node "${root}/hooks/begin.cjs"; exit 0`))],
      },
    },
    expected: [
      ['pre-tool-use-gate', 'pre_tool_use'],
      ['subagent-start-begin', 'SubagentStart', 'event'],
    ],
  },
  'another root variable and empty events': {
    document: {
      hooks: {
        PreToolUse: [],
        PostToolUse: [
          matched('*', command(`MODE=x ACME_PLUGIN_ROOT="${codexRoot}" sh "${codexRoot}/a.sh"`)),
        ],
        SubagentStart: [],
        SubagentStop: [matched('', command(`sh "${codexRoot}/stop.sh"`, { timeout: 5 }))],
        Stop: [matched('', command(`sh "${codexRoot}/stop.sh"`, { timeout: 5 }))],
      },
    },
    expected: [
      ['post-tool-use-a', 'post_tool_use'],
      ['subagent-stop-stop', 'SubagentStop', 'event'],
      ['run-complete-stop', 'run_complete'],
    ],
  },
  'groups with ids of their own': {
    document: {
      hooks: {
        SessionStart: [
          { ...matched('startup', command('acme run start')), id: 'session:start' },
          { ...matched('resume', command('acme run resume')), id: 'session:resume' },
        ],
        PreToolUse: [{ ...matched('Write|Edit', command('acme run w.js')), id: 'pre:write:guard' }],
        SubagentStop: [{ ...group(command('acme run save')), id: 'post:stage:save' }],
        Stop: [{ ...group(command('acme run stop')), id: 'stop:guard', description: 'Waits' }],
      },
    },
    expected: [
      ['session-start', 'SessionStart', 'event'],
      ['session-resume', 'SessionStart', 'event'],
      ['pre-write-guard', 'pre_tool_use'],
      ['post-stage-save', 'SubagentStop', 'event'],
      ['stop-guard', 'run_complete'],
    ],
  },
  'programs with arguments': {
    document: {
      hooks: {
        PreToolUse: [
          matched('.*', command('npx acme-policy@1.0.0 check --file "${ACME_POLICY:-./p.txt}"')),
        ],
        PostToolUse: [matched('.*', command('node', { args: [`${root}/sign.mjs`, '--fast'] }))],
      },
    },
    expected: [
      ['pre-tool-use', 'pre_tool_use'],
      ['post-tool-use-sign', 'post_tool_use'],
    ],
  },
  'expressions as matchers, and whole scripts as commands': {
    document: {
      $schema: 'https://example.com/settings.json',
      hooks: {
        PreToolUse: [
          matched(
            'tool == "Bash" && tool_input.command matches "(npm|pnpm) (run )?dev"',
            command(`#!/bin/bash\ninput=$(cat)\n${'# a line of it\n'.repeat(60)}echo "$input"`),
          ),
          matched(
            'tool == "Write" && tool_input.file_path matches "\\\\.md$" && !(tool_input.file_path matches "README")',
            command('#!/bin/bash\nexit 2'),
          ),
        ],
        PostToolUse: [
          { ...matched('tool == "Bash"', command('#!/bin/bash\ncat')), description: 'Notes' },
        ],
        Stop: [matched('*', command('#!/bin/bash\ngit diff --name-only'))],
      },
    },
    expected: [
      ['pre-tool-use', 'pre_tool_use'],
      ['pre-tool-use', 'pre_tool_use'],
      ['post-tool-use', 'post_tool_use'],
      ['run-complete', 'run_complete'],
    ],
  },
};
