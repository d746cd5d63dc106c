#!/usr/bin/env node
// Must parse on old Node versions until the version check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Node ${process.versions.node} is too old: the plugin kit needs Node 20.19 or newer. Install one from nodejs.org.\n`,
  );
  process.exitCode = 2;
} else {
  await import('../lib/newer-node.mjs');
  const { main } = await import('../lib/program.mjs');
  const [first, ...rest] = process.argv.slice(2);
  // A Windows batch file can only pass on all of its arguments, including `--kit`.
  await main(first === '--kit' ? rest : process.argv.slice(2));
}

export {};
