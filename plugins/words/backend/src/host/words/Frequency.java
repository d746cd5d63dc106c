package host.words;

import host.worker.RpcError;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Counts how often each word occurs. */
final class Frequency implements Consumer<String> {
    static final int MAX_DISTINCT_WORDS = 500_000;
    /** Longer words are counted by their beginning. */
    static final int MAX_WORD_LENGTH = 100;

    private static final Set<String> COMMON =
            Set.of(
                    ("a about after all also an and any are as at be because been but by can could did do "
                                    + "does for from get had has have he her him his how i if in into is it its "
                                    + "just like me more my no not of on one only or other our out over she so "
                                    + "some such than that the their them then there these they this to up us "
                                    + "was we were what when which who will with would you your")
                            .split(" "));

    private final Map<String, int[]> counts = new HashMap<>();
    private final int minLength;
    private final boolean ignoreCase;
    private final boolean skipCommon;
    private long total;

    Frequency(int minLength, boolean ignoreCase, boolean skipCommon) {
        this.minLength = minLength;
        this.ignoreCase = ignoreCase;
        this.skipCommon = skipCommon;
    }

    @Override
    public void accept(String word) {
        String key = Normalizer.normalize(word, Normalizer.Form.NFC);
        if (key.codePointCount(0, key.length()) < minLength) return;
        String lower = key.toLowerCase(Locale.ROOT);
        if (skipCommon && COMMON.contains(lower)) return;
        total++;
        counts.computeIfAbsent(capped(ignoreCase ? lower : key), this::first)[0]++;
    }

    Map<String, Object> result(int top) {
        List<Map.Entry<String, int[]>> order = new ArrayList<>(counts.entrySet());
        Comparator<Map.Entry<String, int[]>> byCount =
                Comparator.comparingInt(entry -> -entry.getValue()[0]);
        order.sort(byCount.thenComparing(Map.Entry.comparingByKey()));
        List<Map<String, Object>> words = new ArrayList<>();
        for (Map.Entry<String, int[]> entry : order.subList(0, Math.min(top, order.size()))) {
            Map<String, Object> word = new LinkedHashMap<>();
            word.put("word", entry.getKey());
            word.put("count", entry.getValue()[0]);
            word.put("share", (double) entry.getValue()[0] / total);
            words.add(word);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("totalWords", total);
        result.put("distinctWords", counts.size());
        result.put("words", words);
        return result;
    }

    private int[] first(String word) {
        if (counts.size() < MAX_DISTINCT_WORDS) return new int[1];
        throw RpcError.failed(
                "The text has more than "
                        + MAX_DISTINCT_WORDS
                        + " different words. Try a part of it, or a larger 'minLength'.",
                "too_many_words");
    }

    private static String capped(String word) {
        if (word.length() <= MAX_WORD_LENGTH) return word;
        boolean tearsPair = Character.isHighSurrogate(word.charAt(MAX_WORD_LENGTH - 1));
        return word.substring(0, tearsPair ? MAX_WORD_LENGTH - 1 : MAX_WORD_LENGTH);
    }
}
