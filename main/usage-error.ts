/** A command line that cannot be followed; one sentence that says why. */
export class UsageError extends Error {}
