import { from } from './requirement.ts';

export const bridge = [
  ...from('What the service does', {
    'BRIDGE-01': 'A plugin UI runs in a sandboxed iframe.',
    'BRIDGE-02':
      'A plugin UI talks to the host through a postMessage bridge that it sees as a `PluginClient` object.',
  }),
  ...from('Versioning', {
    'BRIDGE-03':
      "A bridge protocol version that is not identical makes the client's `host.ready` fail with an exact-mismatch error.",
  }),
  ...from('Errors', {
    'BRIDGE-04':
      'The protocol-version mismatch of `host.ready` reaches the plugin UI as an error that it can catch and handle.',
  }),
  ...from('Authentication', {
    'BRIDGE-05':
      'The notify bridge of a plugin without the permission `notifications` falls back to a center local to its iframe.',
  }),
];
