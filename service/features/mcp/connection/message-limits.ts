/** Larger messages are not parsed, since that would block the event loop for seconds. */
export const messageLimits = { levels: 512, values: 500_000 };

/** Shorter messages cannot exceed the limits. */
export const checkedCharacters = 2 * messageLimits.levels;
