import { from } from './requirement.ts';

export const secret = [
  ...from('Behaviours tied to endpoints', {
    'SECRET-01':
      'The datasource password is encrypted with a machine-bound key before it is written to disk.',
    'SECRET-02':
      'AI API keys are encrypted with a machine-bound key before they are written to disk.',
    'SECRET-03':
      'MCP credentials are encrypted with a machine-bound key before they are written to disk.',
  }),
  ...from('Authentication', {
    'SECRET-04': 'Secrets at rest are AES/GCM with a machine-bound key.',
    'SECRET-05':
      'The default key source is a random value in `<working-directory>/.host/config/.machineid`.',
    'SECRET-06':
      'The key of the datasource password is the SHA-256 of a fixed prefix string plus the machine id.',
    'SECRET-07': '`HOST_MACHINE_KEY` can be given as a system property.',
    'SECRET-08': '`HOST_MACHINE_KEY` can be given as an environment variable.',
    'SECRET-09':
      'With the same `HOST_MACHINE_KEY` after a restart the stored ciphertexts can be read.',
    'SECRET-10': 'While `HOST_MACHINE_KEY` is set, `.machineid` is neither used nor created.',
    'SECRET-11': 'Changing or losing the key makes stored ciphertexts undecryptable.',
  }),
];
