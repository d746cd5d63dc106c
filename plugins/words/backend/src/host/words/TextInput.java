package host.words;

import host.worker.Call;
import host.worker.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The text of a call: its {@code text}, or the content of its {@code file}. */
final class TextInput {
    static final long MAX_FILE_BYTES = 256L * 1024 * 1024;
    private static final int PIECE_LENGTH = 64 * 1024;

    private TextInput() {}

    static void walk(Call call, Passages passages) throws IOException {
        String text = call.text("text");
        Object file = call.params().get("file");
        if ((text == null) == (file == null)) {
            throw RpcError.badParams("Give either 'text' or 'file'.");
        }
        if (text != null) walkText(call, text, passages);
        else if (file instanceof String path) walkFile(call, existing(path), passages);
        else throw RpcError.badParams("This file is not shared with Words. Choose it again.");
        passages.finish();
    }

    private static void walkText(Call call, String text, Passages passages) {
        for (int start = 0; start < text.length(); start += PIECE_LENGTH) {
            call.checkCancelled();
            int end = Math.min(text.length(), start + PIECE_LENGTH);
            passages.take(text.substring(start, end).toCharArray(), end - start);
        }
    }

    private static void walkFile(Call call, Path file, Passages passages) throws IOException {
        long size = Files.size(file);
        if (size > MAX_FILE_BYTES) throw tooLarge();
        char[] piece = new char[PIECE_LENGTH];
        try (CountedInput counted = new CountedInput(Files.newInputStream(file));
                Reader reader = decoded(counted)) {
            int shownPercent = 0;
            for (int length; (length = reader.read(piece)) >= 0; ) {
                call.checkCancelled();
                if (counted.count() > MAX_FILE_BYTES) throw tooLarge();
                refuseBinary(piece, length);
                passages.take(piece, length);
                int percent = (int) Math.min(100, counted.count() * 100 / Math.max(1, size));
                if (percent > shownPercent) call.progress(percent, null);
                shownPercent = percent;
            }
        } catch (CharacterCodingException malformed) {
            throw notText();
        }
    }

    private static Path existing(String path) {
        try {
            Path file = Path.of(path);
            if (Files.isRegularFile(file) && Files.isReadable(file)) return file;
        } catch (InvalidPathException unreadable) {
            throw RpcError.failed(
                    "Java cannot open a file of this name here. Rename it to plain letters and try again.",
                    "file_name");
        }
        throw RpcError.failed(
                "The file cannot be read. Choose a file, not a directory, and try again.", "no_file");
    }

    /** Decodes UTF-16 if there is a byte order mark, otherwise UTF-8. Rejects malformed text. */
    private static Reader decoded(InputStream in) throws IOException {
        byte[] start = new byte[3];
        PushbackInputStream input = new PushbackInputStream(in, start.length);
        int length = input.readNBytes(start, 0, start.length);
        int first = length < 2 ? 0 : (start[0] & 0xff) << 8 | (start[1] & 0xff);
        Charset charset = StandardCharsets.UTF_8;
        int mark = 0;
        if (first == 0xfffe || first == 0xfeff) {
            charset = first == 0xfeff ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
            mark = 2;
        } else if (first == 0xefbb && length == 3 && (start[2] & 0xff) == 0xbf) {
            mark = 3;
        }
        input.unread(start, mark, length - mark);
        // This decoder reports malformed bytes instead of replacing them.
        return new InputStreamReader(input, charset.newDecoder());
    }

    private static void refuseBinary(char[] piece, int length) {
        for (int i = 0; i < length; i++) if (piece[i] == 0) throw notText();
    }

    private static RpcError notText() {
        return RpcError.failed(
                "The file is not plain text in UTF-8 or UTF-16. Save it as plain text in UTF-8 and try again.",
                "not_text");
    }

    private static RpcError tooLarge() {
        return RpcError.failed(
                "The file is larger than 256 MiB. Split it and try its parts.", "file_too_large");
    }
}
