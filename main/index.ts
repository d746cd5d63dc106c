/** The one entry, under Electron and under plain Node. Nothing newer than the check may be parsed before it. */
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
    // Beside the code, so that whoever can change it could change the code as well. An installed
    // package, whose place is not the user's, names a folder of the user's own.
    enableCompileCache(process.env['HOST_CODE_CACHE'] || `${import.meta.dirname}/cache`);
    delete process.env['HOST_CODE_CACHE'];
  }
  const { launch } = await import('./launch.ts');
  await launch();
}

export {};
