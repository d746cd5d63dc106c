package plugin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The words of a text with their counts. */
final class CountedWords {
    private static final Pattern WORD = Pattern.compile("\\p{L}+");

    record Word(String word, int count) {}

    private CountedWords() {}

    /** Returns the most frequent words first, without those shorter than {@code shortest}. */
    static List<Word> of(String text, int shortest) {
        Map<String, Integer> counts = new HashMap<>();
        WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(MatchResult::group)
                .filter(word -> word.length() >= shortest)
                .forEach(word -> counts.merge(word, 1, Integer::sum));
        List<Word> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(new Word(word, count)));
        words.sort(Comparator.comparingInt(Word::count).reversed().thenComparing(Word::word));
        return words;
    }
}
