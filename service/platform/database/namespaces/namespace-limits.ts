/** Per plugin, so that none uses up the connections of the server. */
export const maxConnections = 20;

/** Time that a change waits for locks of other sessions. */
export const lockWaitSeconds = 5;
