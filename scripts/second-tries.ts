import { relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { TestCase, TestModule } from 'vitest/node';

/**
 * Names, at the end of the output, the tests that passed only when they were run again. A plugin,
 * since reporters of the configuration are left out when the command line names others.
 */
export function secondTries(): Plugin {
  return {
    name: 'second-tries',
    configureVitest({ vitest }) {
      vitest.config.reporters.push({ onTestRunEnd });
    },
  };
}

function onTestRunEnd(modules: readonly TestModule[]): void {
  const flaky = modules.flatMap((module) =>
    [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky === true),
  );
  if (flaky.length === 0) return;
  process.stdout.write(
    `\nPassed only at the second try (${flaky.length}), to be looked into:\n${flaky.map(described).join('')}`,
  );
}

function described(test: TestCase): string {
  const file = relative(process.cwd(), test.module.moduleId);
  const why = (test.result().errors ?? []).map(({ message }) => message.split('\n')[0] ?? '');
  return `  ${file} > ${test.fullName}\n${why.map((line) => `    ${line}\n`).join('')}`;
}
