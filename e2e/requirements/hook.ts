import { from } from './requirement.ts';

export const hook = [
  ...from('Hook', {
    'HOOK-01': 'A hook is `{name, event, matcher, type, command|url, timeoutSeconds, enabled}`.',
    'HOOK-02': 'The two hook types are a command hook and an HTTP hook.',
    'HOOK-03': "A plugin's hook is named `plugin/<id>/<name>`.",
  }),
  ...from('Lifecycle hook events; Hook', {
    'HOOK-04': '`pre_tool_use` hooks run before a tool.',
    'HOOK-05': '`post_tool_use` hooks run after a tool that succeeded.',
    'HOOK-06': '`post_tool_use_failure` hooks run after a tool that failed.',
    'HOOK-07': '`run_complete` hooks run when a run completes.',
    'HOOK-08': '`run_error` hooks run when a run fails.',
  }),
  ...from('Behaviours tied to endpoints', {
    'HOOK-09': 'A command hook receives the event JSON on stdin.',
    'HOOK-10': 'An HTTP hook receives the event JSON as the body of a POST.',
    'HOOK-11': 'Exit code 2 of a `pre_tool_use` hook denies; the first stderr line is the reason.',
    'HOOK-12': 'Stdout JSON with decision `deny` and a reason denies on any exit code.',
    'HOOK-13': 'Exit code 0 or an allow document of a `pre_tool_use` hook lets the call proceed.',
    'HOOK-14': 'A hook that crashes, ends with an unknown exit code or times out fails open.',
    'HOOK-15': 'Hooks of every other event than `pre_tool_use` only observe.',
    'HOOK-16': 'A plugin contributes hooks in `hooks/hooks.json` of its package.',
    'HOOK-17':
      '`hooks/hooks.json` may have the nested shape `{hooks: {PreToolUse: [...]}}` or be a flat list.',
    'HOOK-18': 'Installing or enabling a plugin never activates its hooks until they are trusted.',
    'HOOK-19':
      "A trusted plugin hook runs with the plugin's install directory as working directory.",
    'HOOK-20':
      'A trusted plugin hook gets the environment variables `HOST_PLUGIN_ROOT` and `HOST_PLUGIN_DATA`.',
  }),
  ...from('Marketplace (base /api/plugin-market)', {
    'HOOK-21': '`POST /api/plugin-hooks/{id}/trust` trusts the hooks that a plugin contributes.',
    'HOOK-22': "Trust of a plugin's hooks can be taken back.",
  }),
  ...from('Errors', {
    'HOOK-23': 'A call denied by a hook fails its step with the reason, visible to the model.',
  }),
];
