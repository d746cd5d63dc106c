/** Returns the name that rules and tables use: without folder and Windows extension, lower case. */
export function programName(program: string): string {
  if (!/[A-Z./\\]/.test(program)) return program;
  const base = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
}
