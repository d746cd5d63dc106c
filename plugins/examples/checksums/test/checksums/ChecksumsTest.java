package checksums;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import host.testing.FileRef;
import host.testing.PluginCallException;
import host.testing.PluginPage;
import host.testing.StartedPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumsTest {
    private static final String SHA256_OF_ABC =
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    private static StartedPlugin plugin;

    @TempDir Path folder;

    @BeforeAll
    static void start() {
        plugin = StartedPlugin.start();
    }

    @AfterAll
    static void close() {
        plugin.close();
    }

    private FileRef granted() throws IOException {
        Files.createDirectory(folder.resolve("inner"));
        Files.writeString(folder.resolve("inner/abc.txt"), "abc");
        return plugin.grantFile(folder);
    }

    @Test
    @DisplayName("it computes the checksum of each file and says how far it is")
    void computes() throws IOException {
        List<Object> percents = new ArrayList<>();
        Object result =
                plugin.call(
                        "checksums",
                        Map.of("folder", granted()),
                        progress -> percents.add(progress.get("percent")));
        Object file = ((List<?>) ((Map<?, ?>) result).get("files")).get(0);
        assertEquals(Map.of("name", "inner/abc.txt", "sha256", SHA256_OF_ABC), file);
        assertEquals(List.of(100L), percents);
    }

    @Test
    @DisplayName("it asks for a folder")
    void asksForFolder() {
        PluginCallException refusal =
                assertThrows(
                        PluginCallException.class, () -> plugin.call("checksums", Map.of()));
        assertTrue(refusal.getMessage().contains("folder"), refusal.getMessage());
    }

    @Test
    @DisplayName("the page lists the files of a folder")
    void listsFiles() throws IOException {
        try (PluginPage page = plugin.page("dark", "zh-CN")) {
            page.pick(granted());
            page.click("role=button[name='选择文件夹…']");
            page.waitFor("text=1 个文件");
            assertEquals(SHA256_OF_ABC + " inner/abc.txt", page.text("li"));
            assertEquals(List.of(), page.errors());
        }
    }
}
