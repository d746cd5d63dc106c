// Reads everything and never writes.
process.stdin.resume();
