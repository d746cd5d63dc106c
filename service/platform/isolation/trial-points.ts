/** What a program in the sandbox must not be able to do, each looked at from inside; worst first. */
export const trialPoints = [
  'files',
  'network',
  'proc',
  'filter',
  'mounts',
  'descriptors',
  'limits',
  'processes',
] as const;

export type TrialPoint = (typeof trialPoints)[number];
