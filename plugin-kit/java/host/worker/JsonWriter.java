package host.worker;

import java.util.Arrays;
import java.util.Map;

final class JsonWriter {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder();

    String text() {
        return out.toString();
    }

    void value(Object value, int depth) {
        if (depth > JsonReader.MAX_DEPTH) {
            throw new JsonException("nested deeper than " + JsonReader.MAX_DEPTH + " levels");
        }
        if (value == null || value instanceof Boolean) out.append(value);
        else if (value instanceof CharSequence text) string(text);
        else if (value instanceof Number number) number(number);
        else if (value instanceof Map<?, ?> members) object(members, depth);
        else if (value instanceof Iterable<?> items) array(items, depth);
        else if (value instanceof Object[] items) array(Arrays.asList(items), depth);
        else throw new JsonException(value.getClass().getName() + " has no JSON form");
    }

    private void number(Number number) {
        double size = number.doubleValue();
        boolean floating = number instanceof Double || number instanceof Float;
        if (floating && (Double.isNaN(size) || Double.isInfinite(size))) {
            throw new JsonException(number + " has no JSON form");
        }
        out.append(number);
    }

    private void object(Map<?, ?> members, int depth) {
        String before = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            out.append(before);
            string(String.valueOf(member.getKey()));
            out.append(':');
            value(member.getValue(), depth + 1);
            before = ",";
        }
        out.append(members.isEmpty() ? "{}" : "}");
    }

    private void array(Iterable<?> items, int depth) {
        out.append('[');
        boolean first = true;
        for (Object item : items) {
            if (!first) out.append(',');
            value(item, depth + 1);
            first = false;
        }
        out.append(']');
    }

    private void string(CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || isAlone(text, i)) escape(c);
                    else out.append(c);
                }
            }
        }
        out.append('"');
    }

    /** An unpaired surrogate has no UTF-8 form, so it must be escaped. */
    private static boolean isAlone(CharSequence text, int index) {
        char c = text.charAt(index);
        if (!Character.isSurrogate(c)) return false;
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }

    private void escape(char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) out.append(HEX.charAt((c >> shift) & 0xf));
    }
}
