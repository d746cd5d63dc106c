/** Returns a plain server definition. */
export const aServer = (name: string, transport: 'STDIO' | 'STREAMABLE_HTTP' = 'STDIO') => ({
  id: name,
  name,
  transport,
  enabled: true,
  builtIn: false,
  callTimeoutSeconds: 60,
  trustAnnotations: true,
  env: {},
  headers: {},
});
