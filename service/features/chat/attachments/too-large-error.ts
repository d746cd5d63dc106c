/** Thrown for a document that unpacks to more than the limit. */
export class TooLargeError extends Error {}
