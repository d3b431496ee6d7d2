package io.chimera.queue.source.reject;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.letters.LetterSpace;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.BodyLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores rejected points: sources hand points over without blocking, and a dedicated agent writes the points to files.
 * Points are dropped and counted when the queue is full or a write fails. The agent also writes the log lines about
 * rejected data.
 *
 * <pre>
 *   a message:  0          8      16            20            24
 *               +----------+------+-------------+-------------+-------+--------+------+
 *               | time, ns | line | input bytes | reason bytes| input | reason | text |
 *               +----------+------+-------------+-------------+-------+--------+------+
 * </pre>
 */
public final class DeadLetters implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    /**
     * Bytes of the queue: 15 letters with the largest text, or about 5,000 of 200 bytes. The queue limits a message to
     * an eighth of this size.
     */
    private static final int QUEUE_LENGTH = 1 << 20;

    private static final int MESSAGE_TYPE = 1;
    private static final int LETTERS_PER_TURN = 64;
    private static final int WORDS_LENGTH_MAX = 1024;

    private static final int TIME = 0;
    private static final int LINE = 8;
    private static final int INPUT_LENGTH = 16;
    private static final int REASON_LENGTH = 20;
    private static final int HEADER_LENGTH = 24;

    private final Counters<QueueCounter> counters;
    private final Clock clock;
    private final DeadLetterFile file;
    private final ManyToOneRingBuffer queue = new ManyToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(QUEUE_LENGTH + RingBufferDescriptor.TRAILER_LENGTH)));
    private final Wakeup wakeup = new Wakeup();
    private final RejectLog log;
    private final byte[] text = new byte[BodyLayout.TEXT_LENGTH_MAX];
    private boolean failing;

    /**
     * Creates the agent; the first rejected point creates the first file.
     *
     * @param dataDir data folder of the node; the files are in its subfolder {@code dead-letters}
     * @param counters counters of the node
     * @param clock clock for the dates in file names
     */
    public DeadLetters(Path dataDir, Counters<QueueCounter> counters, Clock clock) {
        this.counters = counters;
        this.clock = clock;
        file = new DeadLetterFile(
                dataDir.resolve("dead-letters"),
                clock,
                DeadLetterFile.FILE_LENGTH_MAX,
                letters -> counters.add(QueueCounter.DEAD_LETTERS_OLD_DROPPED, letters));
        log = new RejectLog(clock, wakeup);
    }

    /** Disk space of the files. Thread-safe. */
    public LetterSpace space() {
        return file.space();
    }

    /** Adds an input and returns its statistics of rejected data. Thread-safe. */
    public InputRejects rejects(String input) {
        return log.add(input);
    }

    /** Warnings about data rejected by inputs within the last minutes. Thread-safe. */
    public List<String> warnings() {
        return log.warnings();
    }

    /** Wakes this agent. */
    public Wakeup wakeup() {
        return wakeup;
    }

    /**
     * Hands a rejected point over. Thread-safe; never blocks.
     *
     * @param input name of the input
     * @param arrivalNs arrival time, nanoseconds since 1970
     * @param bytes array with the text of the point
     * @param offset index of the text's first byte
     * @param length length of the text; text beyond 64 KiB is truncated
     * @param line number of the line or element
     * @param reason description of the error
     */
    @HotPath
    public void offer(String input, long arrivalNs, byte[] bytes, int offset, int length, long line, String reason) {
        int inputLength = Math.min(input.length(), WORDS_LENGTH_MAX);
        int reasonLength = Math.min(reason.length(), WORDS_LENGTH_MAX);
        int textLength = Math.min(length, BodyLayout.TEXT_LENGTH_MAX);
        int index = queue.tryClaim(MESSAGE_TYPE, HEADER_LENGTH + inputLength + reasonLength + textLength);
        if (index < 0) {
            counters.increment(QueueCounter.DEAD_LETTERS_DROPPED);
            return;
        }
        var buffer = queue.buffer();
        buffer.putLong(index + TIME, arrivalNs);
        buffer.putLong(index + LINE, line);
        buffer.putInt(index + INPUT_LENGTH, inputLength);
        buffer.putInt(index + REASON_LENGTH, reasonLength);
        int position = index + HEADER_LENGTH;
        position += buffer.putStringWithoutLengthAscii(position, input, 0, inputLength);
        position += buffer.putStringWithoutLengthAscii(position, reason, 0, reasonLength);
        buffer.putBytes(position, bytes, offset, textLength);
        queue.commit(index);
        wakeup.wake();
    }

    /**
     * Hands over a journaled point after a block failed on this point. Thread-safe; never blocks.
     *
     * @param origin replaces the input name, e.g. {@code journal}
     * @param text text of the point
     * @param reason description of the error
     */
    public void offerPoint(String origin, String text, String reason) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        offer(origin, TimeUnit.MILLISECONDS.toNanos(clock.epochMs()), bytes, 0, bytes.length, 0, reason);
    }

    @Override
    public int doWork() {
        int letters = queue.read(this::write, LETTERS_PER_TURN);
        if (letters > 0) {
            try {
                file.flush();
            } catch (IOException e) {
                failed(e);
            }
        }
        log.doWork();
        return letters;
    }

    private void write(int type, MutableDirectBuffer buffer, int index, int length) {
        int inputLength = buffer.getInt(index + INPUT_LENGTH);
        int reasonLength = buffer.getInt(index + REASON_LENGTH);
        int inputAt = index + HEADER_LENGTH;
        int textAt = inputAt + inputLength + reasonLength;
        int textLength = index + length - textAt;
        buffer.getBytes(textAt, text, 0, textLength);
        try {
            file.append(
                    buffer.getLong(index + TIME),
                    buffer.getStringWithoutLengthAscii(inputAt, inputLength),
                    buffer.getLong(index + LINE),
                    buffer.getStringWithoutLengthAscii(inputAt + inputLength, reasonLength),
                    text,
                    textLength);
            counters.increment(QueueCounter.DEAD_LETTERS_WRITTEN);
            failing = false;
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException e) {
        counters.increment(QueueCounter.DEAD_LETTERS_DROPPED);
        file.close();
        if (!failing) {
            failing = true;
            LOG.warn(
                    "Cannot write rejected points to {}: {}. Free or repair the disk; until then points are only"
                            + " counted.",
                    file.folder(),
                    e.toString());
        }
    }

    @Override
    public String roleName() {
        return "dead-letters";
    }

    @Override
    public void onClose() {
        while (doWork() > 0) {
            // drains the queue
        }
        file.close();
    }
}
