package host.words;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a text of any length in pieces, counts characters and lines, and passes passages on. They
 * end at blank lines, so that no word and no sentence is split.
 */
final class Passages {
    /** A longer passage is cut at a space. */
    static final int MAX_PASSAGE_LENGTH = 1 << 20;

    private final List<Consumer<String>> listeners = new ArrayList<>();
    private final StringBuilder passage = new StringBuilder();
    private boolean inParagraph;
    private boolean lineHasText;
    private boolean lineIsOpen;
    private char previous;
    private long characters;
    private long spaces;
    private long lines;
    private long paragraphs;

    Passages(Consumer<String> listener) {
        listeners.add(listener);
    }

    void also(Consumer<String> listener) {
        listeners.add(listener);
    }

    void take(char[] text, int length) {
        for (int i = 0; i < length; i++) take(text[i]);
    }

    /** Passes on the remaining text. */
    void finish() {
        if (lineIsOpen) lines++;
        emit(passage.length());
    }

    /** Number of Unicode code points, without line ends. */
    long characters() {
        return characters;
    }

    long charactersWithoutSpaces() {
        return characters - spaces;
    }

    long lines() {
        return lines;
    }

    /** Number of groups of consecutive lines that are not blank. */
    long paragraphs() {
        return paragraphs;
    }

    private void take(char c) {
        boolean secondHalf = c == '\n' && previous == '\r';
        if (c == '\r' || (c == '\n' && !secondHalf)) endLine();
        else if (!secondHalf) takeOfLine(c);
        previous = c;
    }

    private void takeOfLine(char c) {
        lineIsOpen = true;
        boolean restOfPair = Character.isLowSurrogate(c) && Character.isHighSurrogate(previous);
        if (!restOfPair) characters++;
        if (isSpace(c)) {
            spaces++;
        } else {
            lineHasText = true;
            if (!inParagraph) paragraphs++;
            inParagraph = true;
        }
        passage.append(c);
        if (passage.length() >= MAX_PASSAGE_LENGTH) emit(placeToCut());
    }

    private void endLine() {
        lines++;
        if (lineHasText) {
            passage.append('\n');
        } else {
            inParagraph = false;
            emit(passage.length());
        }
        lineHasText = false;
        lineIsOpen = false;
    }

    private int placeToCut() {
        for (int i = passage.length() - 1; i > 0; i--) {
            if (isSpace(passage.charAt(i)) || passage.charAt(i) == '\n') return i;
        }
        int end = passage.length();
        return Character.isHighSurrogate(passage.charAt(end - 1)) ? end - 1 : end;
    }

    private void emit(int length) {
        if (length == 0) return;
        String text = passage.substring(0, length);
        passage.delete(0, length);
        for (Consumer<String> listener : listeners) listener.accept(text);
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
