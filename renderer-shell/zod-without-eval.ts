import { config } from 'zod';

// Must be loaded before the first schema: zod otherwise tries `new Function`, which the page's
// content security policy refuses and reports.
config({ jitless: true });
