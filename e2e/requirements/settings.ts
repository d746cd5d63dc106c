import { from } from './requirement.ts';

export const settings = [
  ...from('Settings', {
    'SETTINGS-01': '`GET /api/settings` answers the whole Settings object.',
    'SETTINGS-02':
      '`PUT /api/settings` takes a partial body: only the included keys are persisted, all others keep their value; the answer is the Settings object.',
    'SETTINGS-03': 'Settings that were put survive a restart.',
  }),
  ...from('Settings', {
    'SETTINGS-04': '`theme` is `light` or `dark`; nothing else is stored.',
    'SETTINGS-05': '`language` is a UI locale such as `en` or `zh-CN`.',
    'SETTINGS-06': '`sidebarCollapsed` is a boolean.',
    'SETTINGS-07':
      '`logLevel` is `TRACE`, `DEBUG`, `INFO`, `WARN`, `ERROR` or `OFF`; nothing else is stored.',
    'SETTINGS-08': 'A change of `logLevel` is applied to the host immediately, without a restart.',
    'SETTINGS-09':
      'A change of `logLevel` is applied immediately to every running Java worker, by a built-in JSON-RPC notification.',
    'SETTINGS-10':
      'A worker that starts later inherits the current `logLevel` in the environment variable `HOST_LOG_LEVEL`.',
    'SETTINGS-11':
      '`updateApiBase` is empty or an absolute HTTP(S) base URL; nothing else is stored.',
    'SETTINGS-12': 'With an empty `updateApiBase` updates come from the public release channel.',
    'SETTINGS-13': 'With `updateApiBase` set updates come from that intranet server.',
    'SETTINGS-14':
      'The intranet update mode supports only the Windows portable zip and the lite Linux deb; other builds are rejected.',
    'SETTINGS-15': '`computerUseEnabled` is a boolean, true by default.',
    'SETTINGS-16':
      '`computerUseEnabled` false removes the `computer_*` tools from the AI catalog on the next turn.',
    'SETTINGS-17': '`computerUse` is read-only: it cannot be written by `PUT /api/settings`.',
    'SETTINGS-18': '`computerUse` is null in plain web mode (headless, no display).',
    'SETTINGS-19': '`computerUse` is the probe `{available, reason}` in desktop mode.',
    'SETTINGS-20': 'A setting for the permission rules (`permissionRules`) is stored.',
    'SETTINGS-21': 'A setting for the hooks (`hooks`) is stored.',
    'SETTINGS-22':
      'A setting for the plugin-checksum requirement (`requirePluginChecksum`) is stored, off by default.',
    'SETTINGS-23': 'A setting for the memory toggle (`memoryEnabled`) is stored, off by default.',
  }),
  ...from('Process isolation report', {
    'SETTINGS-24': 'The setting `unsandboxedPlugins` is stored, off by default.',
  }),
];
