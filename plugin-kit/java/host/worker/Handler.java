package host.worker;

/** One method of a plugin. {@link Json} must be able to write the returned value. */
@FunctionalInterface
public interface Handler {
    /**
     * Runs on one of the worker's threads, and is interrupted when the call is cancelled. An {@link
     * RpcError} is passed on to the caller; any other error becomes an internal error, whose text
     * is only logged.
     */
    Object handle(Call call) throws Exception;
}
