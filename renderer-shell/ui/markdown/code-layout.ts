/** How code is laid out. Numbers stand beside lines that are not wrapped. */
export type CodeLayout = 'plain' | 'wrapped' | 'numbered';
