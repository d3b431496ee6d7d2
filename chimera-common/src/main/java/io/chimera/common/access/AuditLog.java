package io.chimera.common.access;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit log. Appends a JSON object per action, reload and configuration digest to {@code audit.jsonl}, and per refused
 * request and failed login to {@code audit-refused.jsonl}, so refused clients cannot displace the records of performed
 * actions. A full file is renamed to {@code audit.1.jsonl}, replacing the previous one, and a log line reports the
 * rotation. Callers never wait for the disk: a dedicated thread writes, and records that find the queue full are
 * counted as lost.
 */
public final class AuditLog implements AutoCloseable {
    /** Name of the file in the data folder. */
    public static final String FILE = "audit.jsonl";

    /** Name of the file for refused requests in the data folder. */
    public static final String REFUSED_FILE = "audit-refused.jsonl";

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    /** Maximum size of a file, about 50,000 records; two files are kept. */
    private static final long BYTES_MAX_DEFAULT = 10L << 20;

    private static final int WAITING_MAX = 1_024;

    /** Maximum length of a target, because requested targets can have kilobytes. */
    private static final int TARGET_MAX = 200;

    private static final long CLOSE_SECONDS_MAX = 5;
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Audit record.
     *
     * @param principal name; empty for a client without credentials
     * @param address address of the client; empty for the node itself
     * @param action e.g. {@code drain}, {@code login}
     * @param target object of the action
     * @param isDry whether the request was a dry run
     * @param result {@code ok}, or the reason of the refusal
     */
    public record Entry(String principal, String address, String action, String target, boolean isDry, String result) {
        /** Truncates target and action to {@value #TARGET_MAX} characters. */
        public Entry {
            target = target.length() > TARGET_MAX ? target.substring(0, TARGET_MAX) + "…" : target;
            action = action.length() > TARGET_MAX ? action.substring(0, TARGET_MAX) + "…" : action;
        }
    }

    private final Path folder;
    private final long bytesMax;
    private final Clock clock;
    private final Counters<AccessCounter> counters;
    private final ThreadPoolExecutor writer =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread thread = new Thread(task, "audit");
                thread.setDaemon(true);
                return thread;
            });
    private boolean isFailing;

    /** Creates a log in a folder; creates the folder if missing. */
    public AuditLog(Path folder, Clock clock, Counters<AccessCounter> counters) {
        this(folder, BYTES_MAX_DEFAULT, clock, counters);
    }

    AuditLog(Path folder, long bytesMax, Clock clock, Counters<AccessCounter> counters) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.clock = clock;
        this.counters = counters;
    }

    /** Appends a record of an action that was performed or refused by its handler. Any thread; returns immediately. */
    public void record(Entry entry) {
        append(FILE, entry);
    }

    /** Appends a record of a request refused for lack of permissions. Any thread; returns immediately. */
    public void refused(Entry entry) {
        if (writer.getQueue().remainingCapacity() < WAITING_MAX / 2) {
            counters.increment(AccessCounter.AUDIT_RECORDS_LOST); // half of the queue is reserved for performed actions
        } else {
            append(REFUSED_FILE, entry);
        }
    }

    private void append(String file, Entry entry) {
        byte[] line = line(entry);
        try {
            writer.execute(() -> write(file, line));
        } catch (RejectedExecutionException e) {
            counters.increment(AccessCounter.AUDIT_RECORDS_LOST);
        }
    }

    private byte[] line(Entry entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("time", Instant.ofEpochMilli(clock.epochMs()).toString());
            json.writeStringField("principal", entry.principal());
            json.writeStringField("address", entry.address());
            json.writeStringField("action", entry.action());
            json.writeStringField("target", entry.target());
            json.writeBooleanField("dry", entry.isDry());
            json.writeStringField("result", entry.result());
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new IllegalStateException("Cannot write an audit record to memory.", e);
        }
        return bytes.toByteArray();
    }

    private void write(String name, byte[] line) {
        Path file = folder.resolve(name);
        try {
            Files.createDirectories(folder);
            if (Files.exists(file) && Files.size(file) + line.length > bytesMax) {
                String before = name.replace(".jsonl", ".1.jsonl");
                Files.move(file, folder.resolve(before), StandardCopyOption.REPLACE_EXISTING);
                LOG.info("Rotated the audit log: file={} size_max={} previous={}.", file, bytesMax, before);
            }
            Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            isFailing = false;
        } catch (IOException e) {
            counters.increment(AccessCounter.AUDIT_RECORDS_LOST);
            if (!isFailing) {
                LOG.warn(
                        "Cannot write the audit log {}: {}. Check the disk and the permissions of the folder.",
                        file,
                        e.toString());
            }
            isFailing = true;
        }
    }

    /** Writes the queued records and ends. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("Audit log not completely written after {} s", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
