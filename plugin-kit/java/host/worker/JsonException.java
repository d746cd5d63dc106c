package host.worker;

/** Text that is not JSON, or a value that JSON cannot represent. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonException(String message) {
        super(message);
    }
}
