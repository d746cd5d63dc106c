package host.database;

import host.worker.Json;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * H2 for a process that is not Java: one JSON message a line, requests on standard input, answers on
 * standard output, in any order. A session is one connection with a thread of its own. The end of
 * standard input ends everything.
 */
public final class H2Bridge {
    /** Longest line in either direction, as in bridge-protocol.ts. */
    private static final int MAX_LINE_BYTES = 32 * 1024 * 1024;
    private static final int END_LIMIT_SECONDS = 5;

    private final Map<Long, Session> sessions = new ConcurrentHashMap<>();
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private volatile boolean ending;

    public static void main(String[] args) throws Exception {
        // What else is printed would be taken for an answer.
        System.setOut(System.err);
        new H2Bridge().serve(new FileInputStream(FileDescriptor.in));
    }

    private void serve(InputStream in) throws IOException {
        send(Map.of("version", engineVersion()));
        LineReader lines = new LineReader(in);
        for (String line = lines.next(); line != null; line = lines.next()) accept(line);
        end();
    }

    private static String engineVersion() {
        try {
            // Read at run time: the compiler would write the constant of its own jar into this class.
            Class<?> constants = Class.forName("org.h2.engine.Constants");
            return (String) constants.getField("VERSION").get(null);
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }

    @SuppressWarnings("unchecked")
    private void accept(String line) {
        Map<String, Object> request = (Map<String, Object>) Json.read(line);
        Long id = (Long) request.get("session");
        String operation = (String) request.get("op");
        if (operation.equals("open")) sessions.put(id, new Session());
        Session session = sessions.get(id);
        if (session == null) {
            reply(request, new SQLException("The session is closed.", "08003"));
        } else if (operation.equals("cancel")) {
            session.cancel();
            reply(request, null);
        } else {
            if (operation.equals("close")) sessions.remove(id);
            session.thread.execute(() -> run(session, operation, request));
            if (operation.equals("close")) session.thread.shutdown();
        }
    }

    private void run(Session session, String operation, Map<String, Object> request) {
        if (ending) return;
        try {
            switch (operation) {
                case "open" -> session.open(request);
                case "query" -> {
                    sendBytes(session.query(request));
                    return;
                }
                case "begin" -> session.connection.setAutoCommit(false);
                case "commit" -> session.commit();
                case "rollback" -> session.rollback();
                case "close" -> session.close();
                default -> throw new SQLException("There is no operation " + operation + ".", "HYC00");
            }
            reply(request, null);
        } catch (SQLException | RuntimeException e) {
            if (operation.equals("open")) sessions.remove((Long) request.get("session"));
            reply(request, e);
        }
    }

    private void reply(Map<String, Object> request, Exception failure) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", request.get("id"));
        if (failure != null) answer.put("error", errorOf(failure));
        send(answer);
    }

    private static Map<String, Object> errorOf(Exception failure) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("message", String.valueOf(failure.getMessage()));
        if (failure instanceof SQLException e && e.getSQLState() != null) error.put("state", e.getSQLState());
        if (failure instanceof TooLarge) error.put("state", TooLarge.STATE);
        List<String> causes = new ArrayList<>();
        for (Throwable cause = failure.getCause(); cause != null && causes.size() < 8; cause = cause.getCause()) {
            causes.add(cause.getClass().getSimpleName() + ": " + cause.getMessage());
        }
        error.put("causes", causes);
        return error;
    }

    private void send(Object message) {
        sendBytes(Json.write(message).getBytes(StandardCharsets.UTF_8));
    }

    private void sendBytes(byte[] message) {
        byte[] line = Arrays.copyOf(message, message.length + 1);
        line[message.length] = '\n';
        synchronized (out) {
            try {
                out.write(line);
            } catch (IOException e) {
                // Nobody listens any more.
                Runtime.getRuntime().halt(1);
            }
        }
    }

    /** Rolls back what is open and lets H2 close its files; halts where that takes too long. */
    private void end() {
        Thread limit = new Thread(() -> {
            sleep(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
            Runtime.getRuntime().halt(1);
        });
        limit.setDaemon(true);
        limit.start();
        ending = true;
        // No interrupts: one that meets a write closes H2's file under its hands.
        for (Session session : sessions.values()) session.cancel();
        for (Session session : sessions.values()) session.end();
        System.exit(0);
    }

    private static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Session {
        final ExecutorService thread = Executors.newSingleThreadExecutor(H2Bridge::daemon);
        volatile Connection connection;
        private volatile PreparedStatement running;

        void open(Map<String, Object> request) throws SQLException {
            Properties login = new Properties();
            login.put("user", request.get("user"));
            login.put("password", request.get("password"));
            connection = DriverManager.getConnection((String) request.get("url"), login);
        }

        byte[] query(Map<String, Object> request) throws SQLException {
            if (connection == null) throw new SQLException("The session is not open.", "08003");
            return Boolean.TRUE.equals(request.get("atomic")) ? queryAtomic(request) : queryPlain(request);
        }

        /** H2 takes back what a failed change did, but not a change inside a SELECT. */
        private byte[] queryAtomic(Map<String, Object> request) throws SQLException {
            boolean alone = connection.getAutoCommit();
            if (alone) connection.setAutoCommit(false);
            try {
                Savepoint before = connection.setSavepoint();
                try {
                    byte[] answer = queryPlain(request);
                    if (alone) connection.commit();
                    return answer;
                } catch (SQLException | RuntimeException e) {
                    connection.rollback(before);
                    throw e;
                }
            } finally {
                if (alone) connection.setAutoCommit(true);
            }
        }

        private byte[] queryPlain(Map<String, Object> request) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement((String) request.get("sql"))) {
                bind(statement, (List<?>) request.get("values"));
                running = statement;
                boolean hasRows = statement.execute();
                return hasRows
                        ? new Answer(request.get("id")).rows(statement.getResultSet())
                        : new Answer(request.get("id")).count(statement.getUpdateCount());
            } finally {
                running = null;
            }
        }

        private static void bind(PreparedStatement statement, List<?> values) throws SQLException {
            for (int i = 0; i < values.size(); i++) {
                Object value = values.get(i);
                if (value instanceof Map<?, ?> wrapped) {
                    statement.setBytes(i + 1, Base64.getDecoder().decode((String) wrapped.get("bytes")));
                } else if (value instanceof BigInteger number) {
                    statement.setBigDecimal(i + 1, new BigDecimal(number));
                } else {
                    statement.setObject(i + 1, value);
                }
            }
        }

        void commit() throws SQLException {
            connection.commit();
            settle();
        }

        void rollback() throws SQLException {
            connection.rollback();
            settle();
        }

        /** The next transaction begins as the first one did. */
        private void settle() throws SQLException {
            connection.setAutoCommit(true);
            if (connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
        }

        void cancel() {
            PreparedStatement statement = running;
            try {
                if (statement != null) statement.cancel();
            } catch (SQLException e) {
                // It has just ended.
            }
        }

        void close() throws SQLException {
            if (connection != null) connection.close();
        }

        void end() {
            thread.shutdown();
            try {
                thread.awaitTermination(1, TimeUnit.SECONDS);
                close();
            } catch (SQLException | InterruptedException e) {
                // The process ends anyway.
            }
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "session");
        thread.setDaemon(true);
        return thread;
    }

    /** The answer to one query, written row by row so that a large one is held only once. */
    private static final class Answer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Answer(Object id) {
            text("{\"id\":" + id);
        }

        byte[] count(int count) {
            text(",\"count\":" + count + "}");
            return bytes.toByteArray();
        }

        byte[] rows(ResultSet rows) throws SQLException {
            ResultSetMetaData columns = rows.getMetaData();
            List<String> names = new ArrayList<>();
            List<String> kinds = new ArrayList<>();
            int[] types = new int[columns.getColumnCount()];
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                names.add(columns.getColumnLabel(i));
                types[i - 1] = typeOf(columns, i);
                kinds.add(kindOf(types[i - 1]));
            }
            text(",\"names\":" + Json.write(names) + ",\"kinds\":" + Json.write(kinds) + ",\"rows\":[");
            for (int count = 0; rows.next(); count++) {
                List<Object> row = new ArrayList<>(names.size());
                for (int i = 1; i <= names.size(); i++) row.add(valueOf(rows, i, types[i - 1]));
                text((count == 0 ? "" : ",") + Json.write(row));
            }
            text("]}");
            return bytes.toByteArray();
        }

        private void text(String text) {
            bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            if (bytes.size() >= MAX_LINE_BYTES) throw new TooLarge();
        }

        /** For JDBC a UUID is bytes. */
        private static int typeOf(ResultSetMetaData columns, int column) throws SQLException {
            boolean isUuid = columns.getColumnTypeName(column).equals("UUID");
            return isUuid ? Types.OTHER : columns.getColumnType(column);
        }

        /** How the other side reads a value that JSON has no form for. */
        private static String kindOf(int type) {
            return switch (type) {
                case Types.TIMESTAMP_WITH_TIMEZONE -> "instant";
                case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> "bytes";
                case Types.REAL, Types.FLOAT, Types.DOUBLE -> "number";
                default -> "";
            };
        }

        private static Object valueOf(ResultSet rows, int column, int type) throws SQLException {
            Object value = switch (type) {
                case Types.BOOLEAN, Types.BIT -> rows.getBoolean(column);
                case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> rows.getInt(column);
                case Types.REAL -> number(rows.getFloat(column));
                case Types.FLOAT, Types.DOUBLE -> number(rows.getDouble(column));
                case Types.TIMESTAMP_WITH_TIMEZONE -> instant(rows.getObject(column, OffsetDateTime.class));
                case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> base64(rows.getBytes(column));
                default -> rows.getString(column);
            };
            return rows.wasNull() ? null : value;
        }

        private static Object number(Number value) {
            return Double.isFinite(value.doubleValue()) ? value : value.toString();
        }

        private static Object instant(OffsetDateTime time) {
            return time == null ? null : time.toInstant().toEpochMilli();
        }

        private static Object base64(byte[] value) {
            return value == null ? null : Base64.getEncoder().encodeToString(value);
        }
    }

    private static final class TooLarge extends RuntimeException {
        /** "Program limit exceeded" of PostgreSQL. */
        static final String STATE = "54000";

        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("The result is larger than 32 MiB. Ask for fewer rows.");
        }
    }

    private static final class LineReader {
        private static final int CHUNK_BYTES = 64 * 1024;

        private final InputStream in;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private int at;
        private int end;

        LineReader(InputStream in) {
            this.in = in;
        }

        /** Null at the end of the stream; what came without a line's end was cut off, and is left out. */
        String next() throws IOException {
            byte[] line = new byte[0];
            int length = 0;
            while (at < end || fill()) {
                int stop = at;
                while (stop < end && chunk[stop] != '\n') stop++;
                int size = stop - at;
                if (length + size > MAX_LINE_BYTES) throw new IOException("A line is longer than 32 MiB.");
                if (length + size > line.length) {
                    int doubled = (int) Math.min(MAX_LINE_BYTES, line.length * 2L);
                    line = Arrays.copyOf(line, Math.max(length + size, doubled));
                }
                System.arraycopy(chunk, at, line, length, size);
                length += size;
                at = stop + 1;
                if (stop < end) return new String(line, 0, length, StandardCharsets.UTF_8);
            }
            return null;
        }

        private boolean fill() throws IOException {
            at = 0;
            end = Math.max(0, in.read(chunk));
            return end > 0;
        }
    }
}
