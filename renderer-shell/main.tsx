// First, so that no schema is made before it.
import './zod-without-eval.ts';
import './start.tsx';
