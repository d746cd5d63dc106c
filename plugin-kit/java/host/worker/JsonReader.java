package host.worker;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict parser of RFC 8259. */
final class JsonReader {
    static final int MAX_DEPTH = 512;
    /** Limits the length, because parsing digits takes quadratic time. */
    static final int MAX_NUMBER_LENGTH = 1_000;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    Object document() {
        Object value = value(0);
        skipSpace();
        if (at < text.length()) throw unexpected();
        return value;
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) throw new JsonException("nested deeper than " + MAX_DEPTH + " levels");
        skipSpace();
        if (at >= text.length()) throw unexpected();
        char first = text.charAt(at);
        return switch (first) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (closes('}')) return members;
        do {
            skipSpace();
            if (at >= text.length() || text.charAt(at) != '"') throw unexpected();
            String key = string();
            skipSpace();
            if (at >= text.length() || text.charAt(at) != ':') throw unexpected();
            at++;
            members.put(key, value(depth + 1));
        } while (continues('}'));
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        if (closes(']')) return items;
        do {
            items.add(value(depth + 1));
        } while (continues(']'));
        return items;
    }

    private boolean closes(char end) {
        skipSpace();
        if (at >= text.length() || text.charAt(at) != end) return false;
        at++;
        return true;
    }

    private boolean continues(char end) {
        if (closes(end)) return false;
        if (at >= text.length() || text.charAt(at) != ',') throw unexpected();
        at++;
        return true;
    }

    private String string() {
        int start = ++at;
        StringBuilder built = null;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c < ' ') break;
            if (c == '"') {
                String rest = text.substring(start, at++);
                return built == null ? rest : built.append(rest).toString();
            }
            if (c == '\\') {
                if (built == null) built = new StringBuilder();
                built.append(text, start, at);
                at++;
                built.append(escaped());
                start = at;
            } else {
                at++;
            }
        }
        throw unexpected();
    }

    private char escaped() {
        if (at >= text.length()) throw unexpected();
        char c = text.charAt(at++);
        switch (c) {
            case '"', '\\', '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return unicode();
            default:
                at--;
                throw unexpected();
        }
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = at < text.length() ? hexDigit(text.charAt(at)) : -1;
            if (digit < 0) throw unexpected();
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    /** Unlike Character.digit, accepts only ASCII digits. */
    private static int hexDigit(char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw unexpected();
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        if (peek() == '-') at++;
        if (peek() == '0') at++;
        else digits();
        boolean whole = true;
        if (peek() == '.') {
            whole = false;
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') at++;
            digits();
        }
        if (at - start > MAX_NUMBER_LENGTH) {
            throw new JsonException("a number is longer than " + MAX_NUMBER_LENGTH + " characters");
        }
        return whole ? wholeNumber(text.substring(start, at)) : fraction(text.substring(start, at));
    }

    private static Object wholeNumber(String digits) {
        BigInteger number = new BigInteger(digits);
        if (number.bitLength() < Long.SIZE) return number.longValue();
        return number;
    }

    private static Double fraction(String digits) {
        double number = Double.parseDouble(digits);
        if (Double.isInfinite(number)) throw new JsonException("the number " + digits + " is too large");
        return number;
    }

    private void digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') at++;
        if (at == start) throw unexpected();
    }

    private int peek() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private void skipSpace() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
            at++;
        }
    }

    private JsonException unexpected() {
        return new JsonException(
                at < text.length() ? "unexpected character at " + at : "unexpected end of the text");
    }
}
