// Writes all but JSON-RPC, for as long as it is asked something.
process.stdin.on('data', () =>
  process.stdout.write('Welcome to my worker!\n{"level":"info"}\n[1]\n'),
);
