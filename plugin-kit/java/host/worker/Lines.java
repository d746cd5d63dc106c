package host.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads UTF-8 lines of a limited length. */
final class Lines {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int chunkAt;
    private int chunkEnd;
    private byte[] line = new byte[CHUNK_BYTES];

    Lines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the next line without its end; null at the end of the stream.
     *
     * @throws TooLong for a line above the limit, which is skipped
     */
    String next() throws IOException {
        int length = 0;
        boolean tooLong = false;
        while (chunkAt < chunkEnd || fill()) {
            int end = lineEnd();
            int size = end - chunkAt;
            tooLong = tooLong || length + size > maxBytes;
            if (!tooLong) length = append(length, size);
            chunkAt = end;
            if (end < chunkEnd) {
                chunkAt++;
                return finish(length, tooLong);
            }
        }
        return length == 0 && !tooLong ? null : finish(length, tooLong);
    }

    private String finish(int length, boolean tooLong) throws TooLong {
        if (tooLong) {
            line = new byte[CHUNK_BYTES];
            throw new TooLong();
        }
        byte[] bytes = line;
        if (bytes.length > CHUNK_BYTES) line = new byte[CHUNK_BYTES];
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private int append(int length, int size) {
        int needed = length + size;
        if (needed > line.length) {
            int doubled = (int) Math.min((long) maxBytes, line.length * 2L);
            line = Arrays.copyOf(line, Math.max(needed, doubled));
        }
        System.arraycopy(chunk, chunkAt, line, length, size);
        return needed;
    }

    private int lineEnd() {
        int end = chunkAt;
        while (end < chunkEnd && chunk[end] != '\n') end++;
        return end;
    }

    private boolean fill() throws IOException {
        chunkAt = 0;
        chunkEnd = Math.max(0, in.read(chunk));
        return chunkEnd > 0;
    }

    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
