package host.testing;

import java.util.Map;

/** A reference to a granted file or folder. Pass it to a call unchanged. */
public final class FileRef {
    private final Map<String, Object> fields;

    @SuppressWarnings("unchecked")
    FileRef(Object fields) {
        this.fields = (Map<String, Object>) fields;
    }

    public String name() {
        return String.valueOf(fields.get("name"));
    }

    /** Size in bytes; for a folder, the total of all its files at the time of the grant. */
    public long size() {
        return ((Number) fields.get("size")).longValue();
    }

    /** Returns the object that pages and workers exchange. */
    public Map<String, Object> toMap() {
        return fields;
    }
}
