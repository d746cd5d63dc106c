// Must run before the first schema is created, in whatever order the modules of the page load:
// otherwise zod tries `new Function`, which the content security policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
