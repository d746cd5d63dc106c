package host.words;

import java.text.BreakIterator;
import java.util.Locale;
import java.util.function.Consumer;

/** Counts sentences. The end of a passage, such as a heading, ends a sentence too. */
final class SentenceBreaks implements Consumer<String> {
    private final BreakIterator iterator = BreakIterator.getSentenceInstance(Locale.ROOT);
    private long count;

    @Override
    public void accept(String passage) {
        iterator.setText(passage);
        int start = iterator.first();
        for (int end = iterator.next(); end != BreakIterator.DONE; end = iterator.next()) {
            if (hasWord(passage, start, end)) count++;
            start = end;
        }
    }

    long count() {
        return count;
    }

    private static boolean hasWord(String text, int start, int end) {
        for (int at = start; at < end; at += Character.charCount(text.codePointAt(at))) {
            if (Character.isLetterOrDigit(text.codePointAt(at))) return true;
        }
        return false;
    }
}
