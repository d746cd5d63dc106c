package host.worker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes one JSON-RPC object per line. Thread-safe. */
final class Wire {
    /** The longest line that the host accepts. */
    static final int MAX_LINE_BYTES = 32 * 1024 * 1024;

    private final OutputStream out;

    Wire(OutputStream out) {
        this.out = out;
    }

    void notify(String method, Map<String, Object> params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        message.put("params", params);
        write(encode(message));
    }

    void result(Object id, Object result) {
        byte[] line;
        try {
            line = encode(reply(id, "result", result));
        } catch (JsonException unwritable) {
            error(id, new RpcError(RpcError.INTERNAL, "The result is not JSON.", null));
            return;
        }
        if (line.length <= MAX_LINE_BYTES) write(line);
        else error(id, RpcError.failed("The result is larger than 32 MiB.", "result_too_large"));
    }

    void error(Object id, RpcError error) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("code", error.code());
        body.put("message", error.getMessage());
        if (error.data() != null) body.put("data", error.data());
        try {
            write(encode(reply(id, "error", body)));
        } catch (JsonException unwritable) {
            body.remove("data");
            write(encode(reply(id, "error", body)));
        }
    }

    private static Map<String, Object> reply(Object id, String kind, Object content) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        message.put(kind, content);
        return message;
    }

    private static byte[] encode(Map<String, Object> message) {
        return (Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private synchronized void write(byte[] line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException broken) {
            // The host has exited.
            Runtime.getRuntime().halt(1);
        }
    }
}
