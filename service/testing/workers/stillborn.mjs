// Exits before it answers.
console.error('the settings file is broken');
process.exit(3);
