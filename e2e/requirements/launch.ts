import { from } from './requirement.ts';

export const launch = [
  ...from('What the service does', {
    'LAUNCH-01':
      'The service runs headless: one process without a window that exposes the REST API and the SSE streams.',
    'LAUNCH-02':
      'The service binds to the loopback address 127.0.0.1 only; no other address of the machine answers.',
    'LAUNCH-03':
      'When the default port is taken, the launcher falls back to an OS-assigned port and runs on.',
    'LAUNCH-04':
      'After a fallback the OS-assigned port is announced on stdout as the line `HOST_PORT=<n>`.',
    'LAUNCH-05':
      '`--port=0` always requests an OS-assigned port, also while the default port is free, and announces it as `HOST_PORT=<n>`.',
    'LAUNCH-06': '`--port=<n>` makes the service listen on port n.',
    'LAUNCH-07':
      'The announced `HOST_PORT` is the port that really answers, so a client reads it instead of hardcoding 24056.',
    'LAUNCH-08':
      '`--token=<t>` becomes the property `host.auth.token`: the value that requests are compared with.',
  }),
];
