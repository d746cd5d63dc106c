import './zod-without-eval.ts';

// Alone in its chunk, so that no schema is made before it.
await import('./start.tsx');
