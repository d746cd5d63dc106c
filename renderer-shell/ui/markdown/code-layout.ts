/** The layout of code. Line numbers exclude wrapping. */
export type CodeLayout = 'plain' | 'wrapped' | 'numbered';
