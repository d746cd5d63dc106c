package host.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call of a method: its params, progress and cancellation. */
public final class Call {
    private final Object id;
    private final Map<String, Object> params;
    private final Wire wire;
    private final Runnable ended;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean cancelled;
    private volatile FutureTask<?> task;

    /** {@code ended} runs before the answer is sent, so that the id is free by then. */
    Call(Object id, Map<String, Object> params, Wire wire, Runnable ended) {
        this.id = id;
        this.params = params;
        this.wire = wire;
        this.ended = ended;
    }

    /** Returns the raw params; prefer the typed methods below. */
    public Map<String, Object> params() {
        return params;
    }

    /** Returns a string, or null if it is absent. */
    public String text(String name) {
        Object value = params.get(name);
        if (value == null || value instanceof String) return (String) value;
        throw RpcError.badParams("'" + name + "' must be a string.");
    }

    /** Returns an integer from {@code least} to {@code most}. */
    public int integer(String name, int fallback, int least, int most) {
        Object value = params.get(name);
        if (value == null) return fallback;
        if (value instanceof Number number) {
            double size = number.doubleValue();
            if (size == Math.rint(size) && size >= least && size <= most) return (int) size;
        }
        String range = least + " to " + most;
        throw RpcError.badParams("'" + name + "' must be a whole number from " + range + ".");
    }

    public boolean flag(String name, boolean fallback) {
        Object value = params.get(name);
        if (value == null) return fallback;
        if (value instanceof Boolean flag) return flag;
        throw RpcError.badParams("'" + name + "' must be true or false.");
    }

    /** Reports progress to the caller. {@code percent} is 0 to 100; the message may be null. */
    public void progress(double percent, String message) {
        if (answered.get()) return;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("id", id);
        params.put("percent", Math.max(0, Math.min(100, percent)));
        if (message != null) params.put("message", message);
        wire.notify("host.progress", params);
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** Throws if the call was cancelled. Long loops should call this now and then. */
    public void checkCancelled() {
        if (cancelled) throw RpcError.cancelled();
    }

    void runAs(FutureTask<?> started) {
        task = started;
    }

    void cancel() {
        cancelled = true;
        answer(RpcError.cancelled());
        FutureTask<?> started = task;
        if (started != null) started.cancel(true);
    }

    /** Sends the first answer; ignores further answers of the same call. */
    void answer(Object result) {
        if (!answered.compareAndSet(false, true)) return;
        ended.run();
        wire.result(id, result);
    }

    void answer(RpcError error) {
        if (!answered.compareAndSet(false, true)) return;
        ended.run();
        wire.error(id, error);
    }
}
