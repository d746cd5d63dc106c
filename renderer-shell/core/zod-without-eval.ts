// Must be there before the first schema is made, in whatever order the parts of the page are read: zod
// otherwise tries `new Function`, which the content security policy refuses and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
