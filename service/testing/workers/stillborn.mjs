// Ends before it answers anything.
console.error('the settings file is broken');
process.exit(3);
