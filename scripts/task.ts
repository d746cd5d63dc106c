import { build } from './build.ts';
import { check } from './check.ts';
import { dev } from './dev.ts';
import { spawnPassing } from './spawn.ts';
import { preparePackages, prepareStart, prepareTests } from './system-packages.ts';
import { start } from './start.ts';
import { runTests } from './test.ts';

const tasks: Record<string, (args: string[]) => Promise<number>> = {
  async build() {
    prepareStart();
    await build();
    return 0;
  },
  async start(args) {
    prepareStart();
    await build();
    return start(args);
  },
  /** Only reports what is missing; installs nothing. */
  async doctor(args) {
    await build();
    return spawnPassing(process.execPath, ['.', '--headless', '--doctor', ...args]);
  },
  dev,
  check,
  async test(args) {
    const missing = prepareTests();
    await build();
    return runTests(args, missing);
  },
  async e2e(args) {
    const missing = prepareTests();
    await build();
    return runTests(['e2e', ...args], missing);
  },
  /** Long fault tests: they kill processes, fill disks and break writes. */
  async 'test:faults'(args) {
    const missing = prepareTests();
    await build();
    process.env['FAULT_ROUNDS'] ||= 'long';
    return runTests(['e2e/faults', 'package-kill', 'bash-judge', ...args], missing);
  },
  /** Updates the third-party notices after a change of dependencies. */
  notices: () => spawnPassing(process.execPath, ['scripts/notices.ts']),
  async package(args) {
    preparePackages();
    await build();
    // Imported on demand, as the packagers are large.
    const { makePackage } = await import('./package.ts');
    return makePackage(args);
  },
  async bench(args) {
    prepareTests();
    await build();
    return spawnPassing(process.execPath, ['bench/run.ts', ...args]);
  },
  /** Benchmarks of the page in a browser. */
  async 'bench:ui'(args) {
    prepareTests();
    await build();
    return spawnPassing(process.execPath, ['bench/ui.ts', ...args]);
  },
};

const [name = '', ...args] = process.argv.slice(2);
const task = tasks[name];
if (!task) {
  process.stderr.write(`There is no task ${name}. Tasks: ${Object.keys(tasks).join(', ')}.\n`);
  process.exit(2);
}
process.exitCode = await task(args);
