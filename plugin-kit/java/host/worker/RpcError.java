package host.worker;

import java.util.Map;

/** An error whose message is passed on to the caller of a method. */
public final class RpcError extends RuntimeException {
    public static final int PARSE = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int UNKNOWN_METHOD = -32601;
    public static final int BAD_PARAMS = -32602;
    public static final int INTERNAL = -32603;
    public static final int FAILED = -32000;
    public static final int CANCELLED = -32002;

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Object data;

    /** {@code data} is any value that {@link Json} can write, or null for none. */
    public RpcError(int code, String message, Object data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    /** Returns an error for invalid params. The message should say which values are valid. */
    public static RpcError badParams(String message) {
        return new RpcError(BAD_PARAMS, message, null);
    }

    /** Returns an error for an expected failure. {@code reason} is stable, for programs. */
    public static RpcError failed(String message, String reason) {
        return new RpcError(FAILED, message, Map.of("reason", reason));
    }

    static RpcError cancelled() {
        return new RpcError(CANCELLED, "The call was cancelled.", null);
    }

    public int code() {
        return code;
    }

    public Object data() {
        return data;
    }
}
