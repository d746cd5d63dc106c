package host.worker;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends log lines to the host, which shows them with the plugin. Get one from {@link Worker}. */
public final class Log {
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF;

        /** Returns the level with this name, ignoring case; null if there is none. */
        static Level named(Object name) {
            if (!(name instanceof String text)) return null;
            for (Level level : values()) {
                if (level.name().equals(text.toUpperCase(Locale.ROOT))) return level;
            }
            return null;
        }
    }

    static final int MAX_MESSAGE_LENGTH = 64 * 1024;

    private final Worker worker;
    private final String logger;

    Log(Worker worker, String logger) {
        this.worker = worker;
        this.logger = logger;
    }

    public boolean isEnabled(Level level) {
        return level != Level.OFF && level.compareTo(worker.level()) >= 0;
    }

    public void trace(String message) {
        send(Level.TRACE, message);
    }

    public void debug(String message) {
        send(Level.DEBUG, message);
    }

    public void info(String message) {
        send(Level.INFO, message);
    }

    public void warn(String message) {
        send(Level.WARN, message);
    }

    public void error(String message) {
        send(Level.ERROR, message);
    }

    public void error(String message, Throwable cause) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        send(Level.ERROR, message + "\n" + trace);
    }

    private void send(Level level, String message) {
        if (!isEnabled(level)) return;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("level", level.name());
        params.put("logger", logger);
        params.put("thread", Thread.currentThread().getName());
        params.put("message", capped(message));
        worker.wire().notify("host.log", params);
    }

    private static String capped(String message) {
        if (message.length() <= MAX_MESSAGE_LENGTH) return message;
        return message.substring(0, MAX_MESSAGE_LENGTH) + " …";
    }
}
