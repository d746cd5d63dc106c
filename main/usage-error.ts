/** An invalid command line. The message is one sentence for people. */
export class UsageError extends Error {}
