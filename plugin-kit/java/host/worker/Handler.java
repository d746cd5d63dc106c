package host.worker;

/** One method of a plugin. The returned value must be one that {@link Json} can write. */
@FunctionalInterface
public interface Handler {
    /**
     * Runs on one of the worker's threads, and is interrupted when the call is cancelled. An {@link
     * RpcError} reaches the caller as it is; anything else becomes an internal error, whose text goes
     * to the log only.
     */
    Object handle(Call call) throws Exception;
}
