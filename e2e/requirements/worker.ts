import { from } from './requirement.ts';

export const worker = [
  ...from('What the service does', {
    'WORKER-01': 'A worker runs as an OS process of its own.',
    'WORKER-02':
      'A worker speaks newline-delimited JSON-RPC 2.0 over stdio: requests on stdin, answers on stdout.',
    'WORKER-03': "A worker's stdout carries protocol messages only, one JSON-RPC object a line.",
    'WORKER-04':
      "A worker's diagnostics go to stderr; what it writes there is not taken for protocol and reaches the plugin's log.",
    'WORKER-05': 'A worker crash cannot affect the host or another plugin.',
    'WORKER-06': 'A worker hang cannot affect the host or another plugin.',
  }),
  ...from('Errors', {
    'WORKER-07': 'A call to a crashed worker is rejected.',
    'WORKER-08':
      "Noise on a worker's stdout corrupts at most that worker's own RPC framing; the host goes on.",
  }),
];
