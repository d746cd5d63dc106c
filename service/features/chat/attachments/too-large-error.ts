/** A document that unpacks to more than is read. */
export class TooLargeError extends Error {}
