package host.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The open page of a plugin, in Chromium. Selectors are those of Playwright: {@code "button"},
 * {@code "text=Count"}, {@code "role=button[name='Count']"}. Every method waits up to 30 seconds for
 * its element.
 */
public final class PluginPage implements AutoCloseable {
    private final Connection connection;
    private final Object number;

    PluginPage(Connection connection, Object number) {
        this.connection = connection;
        this.number = number;
    }

    public void click(String selector) {
        ask("click", Map.of("selector", selector));
    }

    public void fill(String selector, String value) {
        ask("fill", Map.of("selector", selector, "value", value));
    }

    /** Returns the visible text of the element. */
    public String text(String selector) {
        return String.valueOf(ask("text", Map.of("selector", selector)));
    }

    /** Waits until the element is visible. */
    public void waitFor(String selector) {
        ask("waitFor", Map.of("selector", selector));
    }

    /** Answers the page's next file or folder dialog; null cancels it. */
    public void pick(FileRef ref) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("ref", ref == null ? null : ref.toMap());
        ask("pick", params);
    }

    /** Returns the outputs that the page offered to save. */
    public List<FileRef> exported() {
        List<FileRef> refs = new ArrayList<>();
        for (Object one : (List<?>) ask("exported", Map.of())) refs.add(new FileRef(one));
        return refs;
    }

    /** Returns script errors and violations of the security policy of plugin pages. */
    @SuppressWarnings("unchecked")
    public List<String> errors() {
        return (List<String>) ask("errors", Map.of());
    }

    @Override
    public void close() {
        ask("close", Map.of());
    }

    private Object ask(String method, Map<String, Object> params) {
        Map<String, Object> all = new LinkedHashMap<>(params);
        all.put("page", number);
        return connection.ask("page." + method, all);
    }
}
