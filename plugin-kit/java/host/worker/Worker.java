package host.worker;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The worker process of a plugin: JSON-RPC 2.0 over stdin and stdout, one object per line.
 *
 * <p>Register the methods, then call {@link #run()}. Call it first in {@code main}: from
 * then on {@code System.out} writes to stderr, so that a print cannot break the protocol.
 */
public final class Worker {
    private static final int THREADS =
            Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
    private static final int MAX_WAITING_CALLS = 256;
    /** How long running calls may continue after stdin has ended. */
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final Map<String, Handler> handlers = new LinkedHashMap<>();
    private final Map<Object, Call> calls = new ConcurrentHashMap<>();
    private final AtomicInteger threadCount = new AtomicInteger();
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    0,
                    TimeUnit.MILLISECONDS,
                    new ArrayBlockingQueue<>(MAX_WAITING_CALLS),
                    this::thread);
    private final InputStream in;
    private final Wire wire;
    private final Log log = log("worker");
    private Consumer<Map<String, Object>> initialize = settings -> {};
    private volatile Log.Level level;

    public Worker() {
        in = System.in;
        wire = new Wire(new FileOutputStream(FileDescriptor.out));
        PrintStream stderr =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(stderr);
        System.setErr(stderr);
        System.setIn(InputStream.nullInputStream());
        Log.Level inherited = Log.Level.named(System.getenv("HOST_LOG_LEVEL"));
        level = inherited == null ? Log.Level.INFO : inherited;
    }

    /** Registers a method of the manifest. */
    public Worker method(String name, Handler handler) {
        handlers.put(name, handler);
        return this;
    }

    /** Sets a listener for {@code pluginId, dataDirectory, locale, config}, called first. */
    public Worker onInitialize(Consumer<Map<String, Object>> listener) {
        initialize = listener;
        return this;
    }

    public Log log(String logger) {
        return new Log(this, logger);
    }

    /** Handles requests until stdin ends, then ends the process. */
    public void run() {
        Lines lines = new Lines(in, Wire.MAX_LINE_BYTES);
        try {
            while (true) {
                try {
                    String line = lines.next();
                    if (line == null) break;
                    if (!line.isBlank()) receive(line);
                } catch (Lines.TooLong tooLong) {
                    refuse(null, RpcError.PARSE, "A line is longer than 32 MiB.");
                }
            }
        } catch (IOException broken) {
            // Treated like the end of the input: nothing more can arrive.
        }
        close();
    }

    Log.Level level() {
        return level;
    }

    Wire wire() {
        return wire;
    }

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "worker-" + threadCount.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private void close() {
        pool.shutdown();
        try {
            pool.awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        System.exit(0);
    }

    private void receive(String line) {
        Object message;
        try {
            message = Json.read(line);
        } catch (JsonException notJson) {
            refuse(null, RpcError.PARSE, "The line is not JSON: " + notJson.getMessage() + ".");
            return;
        }
        if (message instanceof Map<?, ?> fields) dispatch(fields);
        else refuse(null, RpcError.INVALID_REQUEST, "A message must be one JSON object.");
    }

    private void dispatch(Map<?, ?> message) {
        Object id = message.get("id");
        if (!(message.get("method") instanceof String method)) {
            boolean isAnswer = message.containsKey("result") || message.containsKey("error");
            if (!isAnswer) refuse(id, RpcError.INVALID_REQUEST, "'method' is missing.");
            return;
        }
        Map<String, Object> params = params(message.get("params"));
        if (!message.containsKey("id")) {
            if (params != null) receiveNotification(method, params);
        } else if (!(id instanceof String || id instanceof Number)) {
            refuse(null, RpcError.INVALID_REQUEST, "'id' must be a string or a number.");
        } else if (params == null) {
            refuse(id, RpcError.BAD_PARAMS, "'params' must be an object.");
        } else {
            receiveRequest(id, method, params);
        }
    }

    /** Returns null if they are not an object. */
    private static Map<String, Object> params(Object value) {
        if (value == null) return new LinkedHashMap<>();
        if (!(value instanceof Map<?, ?> members)) return null;
        Map<String, Object> params = new LinkedHashMap<>();
        members.forEach((name, member) -> params.put((String) name, member));
        return params;
    }

    private void receiveNotification(String method, Map<String, Object> params) {
        if (method.equals("host.logLevel")) {
            Log.Level wanted = Log.Level.named(params.get("level"));
            if (wanted == null) log.warn("Unknown log level: " + params.get("level"));
            else level = wanted;
        } else if (method.equals("$/cancelRequest")) {
            Object id = params.get("id");
            Call call = id == null ? null : calls.get(id);
            if (call != null) call.cancel();
        }
    }

    private void receiveRequest(Object id, String method, Map<String, Object> params) {
        if (method.equals("host.initialize")) {
            initialize(new Call(id, params, wire, () -> {}));
            return;
        }
        Handler handler = handlers.get(method);
        if (handler == null) {
            refuse(id, RpcError.UNKNOWN_METHOD, "There is no method '" + method + "'.");
            return;
        }
        Call call = new Call(id, params, wire, () -> calls.remove(id));
        if (calls.putIfAbsent(id, call) != null) {
            refuse(id, RpcError.INVALID_REQUEST, "A call with this id is still running.");
            return;
        }
        FutureTask<Void> task = new FutureTask<>(() -> answer(call, method, handler), null);
        call.runAs(task);
        try {
            pool.execute(task);
        } catch (RejectedExecutionException full) {
            call.answer(RpcError.failed("The worker is busy. Try again in a moment.", "busy"));
        }
    }

    /** Runs on the reading thread, so that no call overtakes it. */
    private void initialize(Call call) {
        answer(
                call,
                "host.initialize",
                given -> {
                    initialize.accept(given.params());
                    return Map.of("methods", new ArrayList<>(handlers.keySet()));
                });
    }

    private void answer(Call call, String method, Handler handler) {
        try {
            call.answer(handler.handle(call));
        } catch (RpcError error) {
            call.answer(error);
        } catch (OutOfMemoryError full) {
            call.answer(RpcError.failed("The worker ran out of memory.", "out_of_memory"));
        } catch (Throwable broken) {
            if (!call.isCancelled()) log.error("The method " + method + " failed.", broken);
            String message = "The method failed. The plugin's log says why.";
            call.answer(new RpcError(RpcError.INTERNAL, message, null));
        }
    }

    private void refuse(Object id, int code, String message) {
        wire.error(id, new RpcError(code, message, null));
    }
}
