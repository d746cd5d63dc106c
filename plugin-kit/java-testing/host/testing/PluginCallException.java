package host.testing;

/** A call that the worker answered with an error, or that the host refused. */
public final class PluginCallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Object data;

    PluginCallException(int code, String message, Object data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    /** JSON-RPC error code; 0 if the host refused the call. */
    public int code() {
        return code;
    }

    /** Data of the error: maps, lists, strings, numbers, booleans or null. */
    public Object data() {
        return data;
    }
}
