package host.testing;

import java.util.Map;

/** Stands for a file or folder that the worker was granted; hand it to a call as it is. */
public final class FileRef {
    private final Map<String, Object> fields;

    @SuppressWarnings("unchecked")
    FileRef(Object fields) {
        this.fields = (Map<String, Object>) fields;
    }

    public String name() {
        return String.valueOf(fields.get("name"));
    }

    /** In bytes; of a folder those of all its files when it was granted. */
    public long size() {
        return ((Number) fields.get("size")).longValue();
    }

    /** The object that pages and workers exchange. */
    public Map<String, Object> toMap() {
        return fields;
    }
}
