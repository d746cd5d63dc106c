import { from } from './requirement.ts';

export const plugin = [
  ...from('What the service does', {
    'PLUGIN-01':
      'A plugin is a zip archive with the extension `.plugin` that holds `manifest.json`, `ui/` (page assets) and `backend/worker.jar` (worker executable).',
  }),
  ...from('Health and categories; Plugin category', {
    'PLUGIN-02': '`GET /api/plugin-categories` answers a list of `{id, labelKey, icon}`.',
  }),
  ...from('Plugin runtime', {
    'PLUGIN-03': '`GET /api/plugin-runtime` answers the descriptors of enabled plugins only.',
  }),
  ...from('InstalledPluginDescriptor', {
    'PLUGIN-04': '`id` is unique: at most one installed plugin has it.',
    'PLUGIN-05':
      '`name`, `description`, `category`, `icon`, `version` and `author` of the descriptor are those of the manifest.',
    'PLUGIN-06':
      '`uiEntry` of the descriptor is the resolved URL of the UI entry: fetching it answers the page.',
    'PLUGIN-07':
      '`permissions` of the descriptor are the declared ones, such as `files.read`, `files.write`, `notifications`.',
    'PLUGIN-08': '`enabled` of the descriptor is a boolean that follows enable and disable.',
    'PLUGIN-09': '`iconStyle` of the descriptor is always `BLUE`.',
    'PLUGIN-10': "`supportsAi` is true exactly when the plugin's `aiTools` is non-empty.",
    'PLUGIN-11':
      "`source` is `OFFICIAL` or `THIRD_PARTY`, derived from the manifest's `official` flag at install time.",
    'PLUGIN-12': '`source` is read-only: enable and disable never change it.',
  }),
  ...from('Plugin manifest (`manifest.json`)', {
    'PLUGIN-13': "The manifest's `aiTools` are read, and each declares an effect.",
    'PLUGIN-14': "The manifest carries schemas of the worker's methods.",
  }),
  ...from('Plugin runtime', {
    'PLUGIN-15':
      '`POST /api/plugin-runtime/{id}/invoke` `{callId, method, params}` runs the method in the worker and answers its JSON-RPC result.',
    'PLUGIN-16':
      '`callId` is the correlation id of a call: calls that run at the same time each get their own result, and cancel names the call by it.',
    'PLUGIN-17': '`POST /api/plugin-runtime/{id}/invoke/{callId}/cancel` answers `{cancelled}`.',
    'PLUGIN-18': '`GET /plugin-runtime/{id}/**` serves the static UI assets of the package.',
    'PLUGIN-19': 'UI assets are served under a strict Content Security Policy.',
  }),
  ...from('Plugin lifecycle', {
    'PLUGIN-20':
      'Uploading a valid package that is not installed makes the plugin installed: it is listed and can be called.',
    'PLUGIN-21':
      'Uploading a package with an installed id always replaces the installed one (newer, same or older version).',
    'PLUGIN-22': 'Replacing an installed plugin stops its worker.',
    'PLUGIN-23':
      'Replacing an installed plugin swaps the package directory atomically: either the old or the new files are there, never a mix.',
    'PLUGIN-24': 'Replacing an installed plugin carries its enabled state over.',
    'PLUGIN-25':
      'A catalog update of a plugin in a configured catalog replaces the installed copy with the latest version.',
    'PLUGIN-26': '`PATCH enabled` true enables a disabled plugin without spawning its worker.',
    'PLUGIN-27': 'The first invoke of an enabled plugin spawns its worker lazily.',
    'PLUGIN-28':
      '`PATCH enabled` false disables the plugin and tears its worker process down immediately.',
    'PLUGIN-29': 'Calls in flight while the plugin is disabled are rejected.',
    'PLUGIN-30':
      'Cancelling a tracked invocation tears the worker down, so that a stuck handler cannot continue.',
    'PLUGIN-31':
      '`DELETE` with `deleteData=false` uninstalls: the worker is stopped and the unpacked package removed.',
    'PLUGIN-32': "`DELETE` with `deleteData=false` keeps the plugin's data directory.",
    'PLUGIN-33':
      '`DELETE` with `deleteData=false` keeps the provisioned database namespace and its credentials.',
    'PLUGIN-34':
      "`DELETE` with `deleteData=true` uninstalls and removes the plugin's data directory.",
    'PLUGIN-35': "`DELETE` with `deleteData=true` removes the plugin's database resources.",
  }),
  ...from('Plugin lifecycle; Errors', {
    'PLUGIN-36':
      '`DELETE` with `deleteData=true` whose file deletion cannot complete answers an error, never a false success, and the plugin stays installed unchanged.',
  }),
  ...from('Plugin lifecycle', {
    'PLUGIN-37':
      '`DELETE` with `deleteData=true` whose database cleanup cannot complete uninstalls and keeps the database part as `DELETE_PENDING` for a retry.',
  }),
];
