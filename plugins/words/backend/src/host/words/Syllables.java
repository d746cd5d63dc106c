package host.words;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Estimates the syllables of English words by their vowels. */
final class Syllables {
    private static final int MAX_CACHED_WORDS = 50_000;
    /** Longer strings are data, not words. */
    private static final int MAX_WORD_LENGTH = 100;

    private static final Pattern VOWELS = Pattern.compile("[aeiouy]+");

    /** Silent endings: "make", "makes", "jumped", "careful". */
    private static final Pattern SILENT =
            Pattern.compile(
                    "(?<![aeiouy])(?<![^aeiouy]l)e$"
                            + "|(?<=[^aeiouysxzcgh])(?<![^aeiouy]l)es$"
                            + "|(?<=[^aeiouytd])ed$"
                            + "|(?<=[aeiouy][^aeiouyl])e(?=(?:ful|less|ness|ment|ly|thing|where)[a-z]{0,2}$)");

    /** Adjacent vowels in separate syllables: "media", "actual", "being", "tourism". */
    private static final Pattern APART =
            Pattern.compile(
                    "(?<![ctsgl])ia|(?<![ctsgln])io|^[glp]i[ao]|iet|iu|iest$|^sci|[^tc]ien[ct]"
                            + "|(?<![qg])ua|[eouy]ing$|ism$|^cre(?=a)|^rea(?=ct|li)"
                            + "|(?<=th|d)eo|eum$|oe[mt]|(?<=[aeiouy][^aeiouy]{1,2}|^[ad]r|d)ea$|thm$");

    private static final Pattern SPOKEN_NOT = Pattern.compile("[dst]n't$");

    private final Map<String, Integer> known = new HashMap<>();

    int of(String word) {
        if (word.length() > MAX_WORD_LENGTH) return 1;
        String key = word.toLowerCase(Locale.ROOT);
        Integer cached = known.get(key);
        if (cached != null) return cached;
        int count = estimate(key);
        if (known.size() < MAX_CACHED_WORDS) known.put(key, count);
        return count;
    }

    private static int estimate(String word) {
        String spoken = word.replace("\u00e9", "ey");
        String plain = Normalizer.normalize(spoken, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
        int count = SPOKEN_NOT.matcher(plain).find() ? 1 : 0;
        for (String part : plain.replace("'", "").split("[^a-z]+")) {
            if (!part.isEmpty()) count += ofPart(part);
        }
        return Math.max(1, count);
    }

    private static int ofPart(String part) {
        return Math.max(1, found(VOWELS, part) + found(APART, part) - found(SILENT, part));
    }

    private static int found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        int count = 0;
        while (matcher.find()) count++;
        return count;
    }
}
