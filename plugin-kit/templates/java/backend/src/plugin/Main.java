package plugin;

import host.worker.Call;
import host.worker.RpcError;
import host.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The worker with all methods of the manifest. */
public final class Main {
    private static volatile int shortest = 1;

    private Main() {}

    public static void main(String[] arguments) {
        new Worker()
                .onInitialize(Main::configure)
                .method("count", Main::count)
                .method("orders", call -> orders())
                .method("report", Main::report)
                .run();
    }

    private static void configure(Map<String, Object> settings) {
        if (settings.get("config") instanceof Map<?, ?> config
                && config.get("shortest") instanceof Number number) {
            shortest = number.intValue();
        }
    }

    private static Object count(Call call) throws IOException {
        String text = readText(call);
        call.progress(50, "counting");
        List<CountedWords.Word> counted = CountedWords.of(text, shortest);
        int words = counted.stream().mapToInt(CountedWords.Word::count).sum();
        if ("alphabetical".equals(call.text("order"))) {
            counted.sort(Comparator.comparing(CountedWords.Word::word));
        }
        List<Map<String, Object>> top =
                counted.stream()
                        .limit(10)
                        .map(one -> Map.<String, Object>of("word", one.word(), "count", one.count()))
                        .toList();
        return Map.of("words", words, "top", top);
    }

    private static Object orders() {
        return List.of(
                Map.of("value", "frequent", "label", "Most frequent first"),
                Map.of("value", "alphabetical", "label", "Alphabetical"));
    }

    private static Object report(Call call) throws IOException {
        StringBuilder csv = new StringBuilder("word,count\n");
        for (CountedWords.Word one : CountedWords.of(readText(call), shortest)) {
            csv.append(one.word()).append(',').append(one.count()).append('\n');
        }
        Files.writeString(Path.of(call.text("output"), "words.csv"), csv);
        return Map.of("file", "words.csv");
    }

    private static String readText(Call call) throws IOException {
        String file = call.text("file");
        if (file == null) throw RpcError.badParams("Choose a file.");
        return Files.readString(Path.of(file));
    }
}
