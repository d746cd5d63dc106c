/** Actions that must be impossible in the sandbox, each tested from inside; worst first. */
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
