/**
 * The entry under both Electron and plain Node. Must parse on old Node versions until the version
 * check.
 */
const oldest = [22, 12] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  const needed = oldest.join('.');
  process.stderr.write(
    `Node ${process.versions.node} is too old: Node ${needed} or newer is needed. npm start brings its own.\n`,
  );
  process.exitCode = 2;
} else {
  if (import.meta.filename.endsWith('.mjs')) {
    const { enableCompileCache } = await import('node:module');
    // The cache is beside the code, so that only users who can change the code can change it.
    // Installed packages, which users cannot write to, name a folder of the user instead.
    enableCompileCache(process.env['HOST_CODE_CACHE'] || `${import.meta.dirname}/cache`);
    delete process.env['HOST_CODE_CACHE'];
  }
  const { launch } = await import('./launch.ts');
  await launch();
}

export {};
