package host.testing;

import host.worker.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A plugin that runs as in the host: packed, installed, with its worker in the sandbox. Works with
 * JUnit and any other test library; one plugin can serve all tests of a class.
 *
 * <pre>{@code
 * try (StartedPlugin plugin = StartedPlugin.start()) {
 *     FileRef file = plugin.grantText("a.txt", "one two two");
 *     Object result = plugin.call("count", Map.of("file", file));
 * }
 * }</pre>
 *
 * <p>Results are plain values: {@code Map<String, Object>}, {@code List<Object>}, {@code String},
 * {@code Long}, {@code Double}, {@code Boolean} and {@code null}.
 */
public final class StartedPlugin implements AutoCloseable {
    private final Connection connection;
    private final String id;

    private StartedPlugin(Connection connection) {
        this.connection = connection;
        this.id = String.valueOf(connection.ready().get("id"));
    }

    /** Packs and starts the plugin in the nearest folder with a manifest, searching upwards. */
    public static StartedPlugin start() {
        return start(Map.of());
    }

    /**
     * Packs and starts the plugin with values for the {@code userConfig} of the manifest.
     *
     * @throws IllegalStateException if the plugin cannot be packed or started; the reason is printed
     */
    public static StartedPlugin start(Map<String, Object> config) {
        List<String> options =
                config.isEmpty() ? List.of() : List.of("--config=" + Json.write(config));
        Connection connection = new Connection(pluginFolder(), options);
        try {
            return new StartedPlugin(connection);
        } catch (RuntimeException error) {
            connection.close();
            throw error;
        }
    }

    private static Path pluginFolder() {
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent())
            if (Files.exists(folder.resolve("manifest.json"))) return folder;
        throw new IllegalStateException("There is no manifest.json in " + here + " or above it.");
    }

    public String id() {
        return id;
    }

    /**
     * Calls a method of the manifest. A {@link FileRef} in the parameters becomes a path, as in the host.
     *
     * @throws PluginCallException with the error of the worker or the host
     */
    public Object call(String method, Map<String, Object> params) {
        return call(method, params, progress -> {});
    }

    /**
     * Calls a method. {@code onProgress} receives {@code percent} and {@code message}. Interrupting
     * the thread cancels the call.
     */
    public Object call(
            String method, Map<String, Object> params, Consumer<Map<String, Object>> onProgress) {
        String callId = UUID.randomUUID().toString();
        connection.onProgress(callId, onProgress);
        try {
            CompletableFuture<Object> answer =
                    connection.send(
                            "call",
                            Map.of("callId", callId, "method", method, "params", plain(params)));
            return Connection.value(answer, 0);
        } finally {
            connection.offProgress(callId);
            if (Thread.currentThread().isInterrupted())
                connection.send("cancel", Map.of("callId", callId));
        }
    }

    /** Grants a copy of a file or folder for reading. */
    public FileRef grantFile(Path path) {
        return new FileRef(
                connection.ask("grantFile", Map.of("path", path.toAbsolutePath().toString())));
    }

    /** Grants a file with this text. */
    public FileRef grantText(String name, String text) {
        return new FileRef(connection.ask("grantText", Map.of("name", name, "content", text)));
    }

    /** Creates an empty folder that the worker may write to. */
    public FileRef createOutput() {
        return new FileRef(connection.ask("createOutput", Map.of()));
    }

    /** Returns the names of the files in a granted folder. */
    @SuppressWarnings("unchecked")
    public List<String> filesIn(FileRef folder) {
        Object names = connection.ask("filesIn", Map.of("ref", folder.toMap()));
        return new ArrayList<>((List<String>) names);
    }

    public byte[] readFileIn(FileRef folder, String name) {
        Object bytes = connection.ask("readFileIn", Map.of("ref", folder.toMap(), "name", name));
        return Base64.getDecoder().decode(String.valueOf(bytes));
    }

    public String readTextIn(FileRef folder, String name) {
        return new String(readFileIn(folder, name), StandardCharsets.UTF_8);
    }

    /** Opens the page of the plugin in Chromium, with the light theme and in English. */
    public PluginPage page() {
        return page("light", "en");
    }

    /** @param theme {@code light} or {@code dark} */
    public PluginPage page(String theme, String locale) {
        Object number = connection.ask("page", Map.of("theme", theme, "locale", locale));
        return new PluginPage(connection, number);
    }

    @Override
    public void close() {
        connection.close();
    }

    private static Object plain(Object value) {
        if (value instanceof FileRef ref) return ref.toMap();
        if (value instanceof List<?> list) return list.stream().map(StartedPlugin::plain).toList();
        if (!(value instanceof Map<?, ?> map)) return value;
        Map<String, Object> plain = new LinkedHashMap<>();
        map.forEach((key, one) -> plain.put(String.valueOf(key), plain(one)));
        return plain;
    }
}
