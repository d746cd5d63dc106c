import { type GitRepository, makeRepository } from './git-repository.ts';

/** A repository with a known history. */
export interface PluginHistory {
  repository: GitRepository;
  /**
   * `main` is at the second commit, `dev/next` at `dev`, tags at the first, no ref at the middle
   * one.
   */
  commits: Record<'first' | 'middle' | 'second' | 'dev', string>;
}

/**
 * Creates a repository whose folder `one` is a plugin with a skill, whose text is the name of the
 * commit.
 */
export async function pluginHistory(): Promise<PluginHistory> {
  const file = (text: string) => ({
    'one/skills/sum/SKILL.md': `---\nname: sum\ndescription: Adds.\n---\n${text}\n`,
  });
  const repository = await makeRepository(file('first'));
  const first = await repository.git('rev-parse', 'HEAD');
  await repository.git('tag', 'light');
  await repository.git('tag', '--annotate', '--message', 'x', 'heavy');
  const middle = await repository.commit(file('middle'));
  const second = await repository.commit(file('second'));
  await repository.git('checkout', '--quiet', '-b', 'dev/next');
  const dev = await repository.commit(file('dev'));
  await repository.git('checkout', '--quiet', 'main');
  await repository.git('update-server-info');
  return { repository, commits: { first, middle, second, dev } };
}
