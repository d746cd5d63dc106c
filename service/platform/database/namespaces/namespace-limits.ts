/** Of one plugin, so that none uses up the connections of the server. */
export const maxConnections = 20;

/** How long a change waits for somebody who uses what it changes. */
export const lockWaitSeconds = 5;
