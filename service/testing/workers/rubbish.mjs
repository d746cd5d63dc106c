// Answers with anything but JSON-RPC.
process.stdin.on('data', () =>
  process.stdout.write('Welcome to my worker!\n{"level":"info"}\n[1]\n'),
);
