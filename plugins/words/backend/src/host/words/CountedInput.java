package host.words;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that were read through it. */
final class CountedInput extends FilterInputStream {
    private long count;

    CountedInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) count++;
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int size = super.read(target, offset, length);
        if (size > 0) count += size;
        return size;
    }
}
