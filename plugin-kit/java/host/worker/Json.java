package host.worker;

/**
 * Converts JSON text to plain Java values and back.
 *
 * <p>Objects are {@code Map<String, Object>} in source order, arrays {@code List<Object>},
 * integers {@code Long} (or {@code BigInteger}), other numbers {@code Double}; the rest is
 * {@code String}, {@code Boolean} and {@code null}.
 */
public final class Json {
    private Json() {}

    /**
     * Reads one JSON value.
     *
     * @throws JsonException if the text is not JSON; the message contains the position
     */
    public static Object read(String text) {
        return new JsonReader(text).document();
    }

    /**
     * Writes maps, lists, arrays of objects, strings, numbers, booleans and null on one line.
     *
     * @throws JsonException for any other type, and for NaN and infinities
     */
    public static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value, 0);
        return writer.text();
    }
}
