import { from } from './requirement.ts';

export const isolation = [
  ...from('Health and categories; Process isolation report', {
    'ISOLATION-01':
      '`GET /api/security/process-isolation` reports the active backend, `compatibilityMode`, `sandboxed`, `reduced` and `lifecycleIsolation` (such as `job-object`).',
  }),
  ...from('Process isolation report', {
    'ISOLATION-02': '`compatibilityMode` is true when no security isolator is available.',
    'ISOLATION-03':
      'On Linux workers run in a namespace sandbox tool with die-with-parent and a new session.',
    'ISOLATION-04': "On Linux the kernel ends a worker's whole process tree.",
    'ISOLATION-05':
      "On Linux a worker sees a minimal read-only view: OS and runtime trees, JDK, the plugin's own package and classpath roots; not the user home.",
    'ISOLATION-06': "On Linux a worker's writes are confined to plugin-owned roots.",
    'ISOLATION-07': "On Linux a worker's network is isolated unless declared.",
    'ISOLATION-08': 'On Linux the report says `sandboxed` true.',
    'ISOLATION-09':
      'On macOS workers run under a profile-based sandbox executor, and the process tree is ended by tree-kill.',
    'ISOLATION-10':
      'On macOS file isolation is reduced: allow by default, then deny reads of host credential locations and the host runtime root.',
    'ISOLATION-11': "On macOS a worker's writes are confined to plugin-owned roots and /tmp.",
    'ISOLATION-12': "On macOS a worker's network is isolated unless declared.",
    'ISOLATION-13': 'On macOS the report says `sandboxed` false, `reduced` true.',
    'ISOLATION-14':
      'On Windows workers run in a job object with kill-on-close: the whole tree is killed when the handle closes.',
    'ISOLATION-15': 'On Windows the file system and the network are not isolated.',
    'ISOLATION-16':
      'On Windows the report says `compatibilityMode` true, `sandboxed` false, `lifecycleIsolation` `job-object`.',
    'ISOLATION-17':
      'On other platforms there is no backend: a host shutdown hook plus a tree-kill backstop end the workers.',
    'ISOLATION-18':
      'On other platforms file system and network access rest on explicit approval only.',
    'ISOLATION-19': 'On other platforms the report says `compatibilityMode` true.',
    'ISOLATION-20':
      'The toggle `unsandboxedPlugins` is shown on platforms in compatibility mode, behind a confirmation dialog.',
    'ISOLATION-21':
      'With `unsandboxedPlugins` on, workers run bare with app-equivalent privileges.',
    'ISOLATION-22': 'With `unsandboxedPlugins` off, Windows has life-cycle isolation only.',
    'ISOLATION-23':
      'A runtime channel `unrestricted()` receives plugin workers while `unsandboxedPlugins` is on.',
    'ISOLATION-24':
      'The approval gate treats every platform without a full security sandbox as reduced and does not relax approval because a backend is active.',
  }),
];
