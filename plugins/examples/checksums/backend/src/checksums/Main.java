package checksums;

import host.worker.Call;
import host.worker.RpcError;
import host.worker.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Example of a long call: reports progress, and stops soon after it was cancelled. */
public final class Main {
    private static final int MAX_FILES = 10_000;
    private static final int CHUNK_BYTES = 1024 * 1024;

    private Main() {}

    public static void main(String[] arguments) {
        new Worker().method("checksums", Main::checksums).run();
    }

    private static Object checksums(Call call) throws IOException {
        String folder = call.text("folder");
        if (folder == null) throw RpcError.badParams("Choose a folder.");
        Path root = Path.of(folder);
        List<Path> all = filesBelow(root);
        List<Path> files = all.subList(0, Math.min(all.size(), MAX_FILES));
        long total = 0;
        for (Path file : files) total += Files.size(file);
        Progress progress = new Progress(call, total);
        List<Map<String, Object>> sums = new ArrayList<>();
        for (Path file : files) {
            String name = root.relativize(file).toString().replace('\\', '/');
            sums.add(Map.of("name", name, "sha256", sha256(file, name, progress)));
        }
        int leftOut = all.size() - files.size();
        return Map.of("files", sums, "bytes", progress.done, "leftOut", leftOut);
    }

    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static String sha256(Path file, String name, Progress progress) throws IOException {
        MessageDigest digest = newDigest();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int size = in.read(chunk); size >= 0; size = in.read(chunk)) {
                digest.update(chunk, 0, size);
                progress.add(size, name);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Reports each percent once. */
    private static final class Progress {
        private final Call call;
        private final long total;
        private long done;
        private long told = -1;

        Progress(Call call, long total) {
            this.call = call;
            this.total = total;
        }

        void add(int bytes, String name) {
            call.checkCancelled();
            done += bytes;
            long percent = total == 0 ? 100 : done * 100 / total;
            if (percent == told) return;
            told = percent;
            call.progress(percent, name);
        }
    }
}
