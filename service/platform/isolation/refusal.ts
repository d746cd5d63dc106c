/** Why there is no sandbox, and what a person can do about it. */
export interface Refusal {
  reason: string;
  advice: string;
}

/** For systems on which nothing can be done about it. */
export const trustAdvice =
  'Install only plugins that you trust: their workers can do what your account can.';

export const notInstalled: Refusal = {
  reason: 'bubblewrap, which keeps plugin workers apart on Linux, is not installed.',
  advice:
    'Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), then start the host again.',
};

const noNamespaces: Refusal = {
  reason: 'This system does not let programs make user namespaces, which the sandbox needs.',
  advice:
    'Allow them as administrator (Debian: sysctl -w kernel.unprivileged_userns_clone=1; Ubuntu: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0), then start the host again.',
};

const tooMany: Refusal = {
  reason: 'This system allows no more user namespaces, which the sandbox needs.',
  advice:
    'Allow some as administrator (sysctl -w user.max_user_namespaces=15000), then start the host again.',
};

/** What bubblewrap said on stderr when its trial failed, for a person. */
export function refusalOf(said: string): Refusal {
  if (/max_\*?\w*_?namespaces exceeded|ENOSPC/i.test(said)) return tooMany;
  if (/No permissions to create|Operation not permitted|Permission denied/i.test(said))
    return noNamespaces;
  const [line = ''] = said.trim().split('\n');
  const words = line.replace(/^bwrap: /, '').slice(0, 200);
  return {
    reason: `The trial of the sandbox failed${words === '' ? '' : `: ${words}`}.`,
    advice: 'Update bubblewrap, then start the host again.',
  };
}
