package io.chimera.apps.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;

/** Reads an answer that {@link QueryAnswer} wrote as JSON, packet by packet, and what the query did behind them. One thread. */
public final class AnswerReader implements AutoCloseable {
    private static final JsonFactory JSON = new JsonFactory();
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final JsonParser parser;
    private long timeNs;
    private String source;
    private String destination;
    private int sourcePort;
    private int destinationPort;
    private long packets;
    private long intervalsRead;
    private long intervalsSkipped;

    /**
     * Reads nothing yet.
     *
     * @param in closed with this
     */
    public AnswerReader(InputStream in) throws IOException {
        parser = JSON.createParser(in);
    }

    /**
     * Goes to the next packet.
     *
     * @return false when there is none; what the query did is known then
     * @throws IOException when nothing more can be read
     * @throws ChimeraException when this is no answer, or one that was cut off
     */
    public boolean next() throws IOException {
        try {
            require(parser.nextToken() == JsonToken.START_OBJECT);
            source = null;
            destination = null;
            sourcePort = 0;
            destinationPort = 0;
            boolean isPacket = true;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                if (name.equals("query")) {
                    isPacket = false;
                    readQuery();
                } else {
                    readField(name);
                }
            }
            require(parser.currentToken() == JsonToken.END_OBJECT);
            return isPacket;
        } catch (JsonProcessingException | DateTimeException | ArithmeticException e) {
            throw notWhole(e);
        }
    }

    private void readField(String name) throws IOException {
        switch (name) {
            case "time" -> timeNs = time(parser.getText());
            case "src" -> source = parser.getText();
            case "dst" -> destination = parser.getText();
            case "src_port" -> sourcePort = parser.getIntValue();
            case "dst_port" -> destinationPort = parser.getIntValue();
            default -> parser.skipChildren();
        }
    }

    private static long time(String text) {
        Instant time = Instant.parse(text);
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NS_PER_SECOND), time.getNano());
    }

    private void readQuery() throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "packets" -> packets = parser.getLongValue();
                case "intervals_read" -> intervalsRead = parser.getLongValue();
                case "intervals_skipped" -> intervalsSkipped = parser.getLongValue();
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT);
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw notWhole(null);
        }
    }

    private static ChimeraException notWhole(Exception cause) {
        return new ChimeraException(
                Category.ERROR, "This is no whole answer to a question; is it a recorder that answers?", cause);
    }

    /** When the packet came, ns since 1970. */
    public long timeNs() {
        return timeNs;
    }

    /** Where the packet comes from; null where it is not IP. */
    public String source() {
        return source;
    }

    /** Where the packet goes to; null where it is not IP. */
    public String destination() {
        return destination;
    }

    /** 0 where there is none. */
    public int sourcePort() {
        return sourcePort;
    }

    /** 0 where there is none. */
    public int destinationPort() {
        return destinationPort;
    }

    /** All of the answer, as the query counted them. */
    public long packets() {
        return packets;
    }

    /** What the query read. */
    public long intervalsRead() {
        return intervalsRead;
    }

    /** What the index spared the query. */
    public long intervalsSkipped() {
        return intervalsSkipped;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
