package host.words;

import java.lang.Character.UnicodeScript;
import java.text.BreakIterator;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Splits text into words. Chinese and Japanese are written without spaces, so there each character
 * counts as a word, as in word processors.
 */
final class WordBreaks {
    private static final int LONG_VOWEL_MARK = 0x30FC;
    private static final int HALFWIDTH_LONG_VOWEL_MARK = 0xFF70;

    private final BreakIterator iterator = BreakIterator.getWordInstance(Locale.ROOT);

    void words(String passage, Consumer<String> each) {
        // The iterator breaks at the curly apostrophe but not at the straight one.
        String text = passage.replace('\u2019', '\'');
        iterator.setText(text);
        int start = iterator.first();
        for (int end = iterator.next(); end != BreakIterator.DONE; end = iterator.next()) {
            split(text, start, end, each);
            start = end;
        }
    }

    /** A segment may mix scripts; white space and punctuation are not words. */
    private static void split(String text, int start, int end, Consumer<String> each) {
        int wordStart = -1;
        int next;
        for (int at = start; at < end; at = next) {
            int point = text.codePointAt(at);
            next = at + Character.charCount(point);
            if (standsAlone(point)) {
                if (wordStart >= 0) each.accept(text.substring(wordStart, at));
                each.accept(text.substring(at, next));
                wordStart = -1;
            } else if (wordStart < 0 && Character.isLetterOrDigit(point)) {
                wordStart = at;
            }
        }
        if (wordStart >= 0) each.accept(text.substring(wordStart, end));
    }

    static boolean standsAlone(int point) {
        if (point < 0x2E80) return false;
        if (Character.isIdeographic(point)) return true;
        if (point == LONG_VOWEL_MARK || point == HALFWIDTH_LONG_VOWEL_MARK) return true;
        if (!Character.isLetter(point)) return false;
        UnicodeScript script = UnicodeScript.of(point);
        return script == UnicodeScript.HIRAGANA
                || script == UnicodeScript.KATAKANA
                || script == UnicodeScript.BOPOMOFO;
    }
}
