package host.words;

import java.lang.Character.UnicodeScript;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Flesch reading ease and Flesch-Kincaid grade level. Both were designed for English. All words are
 * counted; syllables are estimated only for words in Latin letters.
 */
final class Readability implements Consumer<String> {
    private final Syllables syllables = new Syllables();
    private long words;
    private long latinWords;
    private long otherWords;
    private long syllableCount;

    @Override
    public void accept(String word) {
        words++;
        int letter = firstLetter(word);
        if (letter < 0) return;
        if (UnicodeScript.of(letter) == UnicodeScript.LATIN) {
            latinWords++;
            syllableCount += syllables.of(word);
        } else {
            otherWords++;
        }
    }

    Map<String, Object> result(long sentences) {
        String reason = latinWords + otherWords == 0 ? "no_words" : null;
        if (reason == null && latinWords < otherWords) reason = "not_latin";
        Map<String, Object> result = new LinkedHashMap<>();
        if (reason == null) {
            double perSentence = (double) words / Math.max(1, sentences);
            double perWord = (double) syllableCount / latinWords;
            double ease = rounded(206.835 - 1.015 * perSentence - 84.6 * perWord);
            result.put("fleschReadingEase", ease);
            result.put("fleschKincaidGrade", rounded(0.39 * perSentence + 11.8 * perWord - 15.59));
            result.put("level", level(ease));
            result.put("wordsPerSentence", rounded(perSentence));
            result.put("syllablesPerWord", rounded(perWord));
        } else {
            result.put("fleschReadingEase", null);
            result.put("fleschKincaidGrade", null);
            result.put("level", null);
            result.put("reason", reason);
        }
        result.put("sentences", sentences);
        result.put("words", words);
        result.put("syllables", syllableCount);
        return result;
    }

    private static String level(double ease) {
        if (ease >= 90) return "very_easy";
        if (ease >= 80) return "easy";
        if (ease >= 70) return "fairly_easy";
        if (ease >= 60) return "standard";
        if (ease >= 50) return "fairly_difficult";
        return ease >= 30 ? "difficult" : "very_difficult";
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    /** Returns -1 for numbers, whose syllables are unknown. */
    private static int firstLetter(String word) {
        return word.codePoints().filter(Character::isLetter).findFirst().orElse(-1);
    }
}
