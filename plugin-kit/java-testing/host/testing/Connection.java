package host.testing;

import host.worker.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The kit as a child process: JSON-RPC, one object per line. */
final class Connection implements AutoCloseable {
    private static final int START_SECONDS = 60;
    private static final int END_SECONDS = 20;

    private final Process process;
    private final OutputStream out;
    private final CompletableFuture<Map<String, Object>> ready = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<Object>> open = new ConcurrentHashMap<>();
    private final Map<String, Consumer<Map<String, Object>>> progress = new ConcurrentHashMap<>();
    private long lastId;

    Connection(Path directory, List<String> options) {
        List<String> command = new ArrayList<>(kit());
        command.add("test");
        command.add("--stdio");
        command.add(directory.toString());
        command.addAll(options);
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException error) {
            throw new UncheckedIOException(
                    "The plugin kit cannot be started. Install it, so that plugin-host-plugin is in"
                            + " the PATH.",
                    error);
        }
        out = process.getOutputStream();
        Thread reader = new Thread(this::read, "plugin-kit");
        reader.setDaemon(true);
        reader.start();
    }

    /** Uses the kit that started the tests, or else the one in PATH. */
    private static List<String> kit() {
        String node = System.getProperty("plugin.kit.node");
        String program = System.getProperty("plugin.kit.program");
        return node == null || program == null
                ? List.of("plugin-host-plugin")
                : List.of(node, program);
    }

    /** Blocks until the plugin can be called; returns {@code {id, manifest}}. */
    Map<String, Object> ready() {
        return value(ready, START_SECONDS);
    }

    /** Blocks without a timeout of its own; the manifest limits the duration of methods. */
    Object ask(String method, Map<String, Object> params) {
        return value(send(method, params), 0);
    }

    CompletableFuture<Object> send(String method, Map<String, Object> params) {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        synchronized (out) {
            lastId++;
            open.put(lastId, answer);
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("jsonrpc", "2.0");
            message.put("id", lastId);
            message.put("method", method);
            message.put("params", params);
            try {
                out.write((Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (IOException error) {
                answer.completeExceptionally(new UncheckedIOException(error));
            }
        }
        return answer;
    }

    void onProgress(String callId, Consumer<Map<String, Object>> listener) {
        progress.put(callId, listener);
    }

    void offProgress(String callId) {
        progress.remove(callId);
    }

    static <T> T value(CompletableFuture<T> answer, int seconds) {
        try {
            return seconds == 0 ? answer.get() : answer.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException error) {
            if (error.getCause() instanceof RuntimeException cause) throw cause;
            throw new IllegalStateException(error.getCause());
        } catch (TimeoutException error) {
            throw new IllegalStateException("The plugin kit does not answer.", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The test was interrupted.", error);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) take(line);
        } catch (IOException | RuntimeException ended) {
            end(ended);
            return;
        }
        end(null);
    }

    private void end(Exception cause) {
        IllegalStateException gone =
                new IllegalStateException("The plugin kit has ended. It said why above.", cause);
        ready.completeExceptionally(gone);
        open.values().forEach(answer -> answer.completeExceptionally(gone));
    }

    @SuppressWarnings("unchecked")
    private void take(String line) {
        Map<String, Object> message = (Map<String, Object>) Json.read(line);
        Map<String, Object> params = (Map<String, Object>) message.get("params");
        if ("ready".equals(message.get("method"))) ready.complete(params);
        if ("progress".equals(message.get("method"))) {
            Consumer<Map<String, Object>> listener = progress.get(params.get("callId"));
            if (listener != null) listener.accept(params);
        }
        if (!(message.get("id") instanceof Number id)) return;
        CompletableFuture<Object> answer = open.remove(id.longValue());
        if (answer == null) return;
        if (message.get("error") instanceof Map<?, ?> error) {
            int code = ((Number) error.get("code")).intValue();
            String text = String.valueOf(error.get("message"));
            answer.completeExceptionally(new PluginCallException(code, text, error.get("data")));
        } else {
            answer.complete(message.get("result"));
        }
    }

    @Override
    public void close() {
        try {
            out.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException error) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
