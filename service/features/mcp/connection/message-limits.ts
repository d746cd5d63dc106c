/** Beyond them a message is not parsed: that would stand still for seconds. */
export const messageLimits = { levels: 512, values: 500_000 };

/** A shorter one cannot break them. */
export const checkedCharacters = 2 * messageLimits.levels;
