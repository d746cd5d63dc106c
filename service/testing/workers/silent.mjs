// Reads everything and never writes a word.
process.stdin.resume();
