package host.words;

import host.worker.Call;
import host.worker.Worker;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The methods of the manifest. */
public final class Main {
    private static final int DEFAULT_TOP = 20;
    private static final int MAX_TOP = 1_000;
    private static final int MAX_WORD_LENGTH = 100;

    private Main() {}

    public static void main(String[] arguments) {
        Worker worker = new Worker();
        worker.method("count", Main::count)
                .method("frequency", Main::frequency)
                .method("readability", Main::readability)
                .run();
    }

    private static Object count(Call call) throws IOException {
        WordBreaks breaks = new WordBreaks();
        long[] words = {0};
        Passages passages = new Passages(passage -> breaks.words(passage, word -> words[0]++));
        SentenceBreaks sentences = new SentenceBreaks();
        passages.also(sentences);
        TextInput.walk(call, passages);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("words", words[0]);
        result.put("characters", passages.characters());
        result.put("charactersWithoutSpaces", passages.charactersWithoutSpaces());
        result.put("lines", passages.lines());
        result.put("paragraphs", passages.paragraphs());
        result.put("sentences", sentences.count());
        return result;
    }

    private static Object frequency(Call call) throws IOException {
        int top = call.integer("top", DEFAULT_TOP, 1, MAX_TOP);
        Frequency frequency =
                new Frequency(
                        call.integer("minLength", 1, 1, MAX_WORD_LENGTH),
                        call.flag("ignoreCase", true),
                        call.flag("skipCommon", false));
        WordBreaks breaks = new WordBreaks();
        TextInput.walk(call, new Passages(passage -> breaks.words(passage, frequency)));
        return frequency.result(top);
    }

    private static Object readability(Call call) throws IOException {
        Readability readability = new Readability();
        WordBreaks breaks = new WordBreaks();
        Passages passages = new Passages(passage -> breaks.words(passage, readability));
        SentenceBreaks sentences = new SentenceBreaks();
        passages.also(sentences);
        TextInput.walk(call, passages);
        return readability.result(sentences.count());
    }
}
