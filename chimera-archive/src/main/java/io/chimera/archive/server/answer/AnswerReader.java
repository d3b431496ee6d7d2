package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads an answer in the format {@link AnswerFormat#CONNECTIONS}: the connections one by one, then the query's
 * statistics. One thread.
 */
public final class AnswerReader implements AutoCloseable {
    /** Answers are UTF-8. With charset detection, foreign bytes could pass as text in another encoding. */
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    private final JsonParser parser;
    private @Nullable ConnectionDirection connection;
    private long packets;
    private long intervalsRead;
    private long intervalsSkipped;

    /**
     * Creates a reader without reading from the stream.
     *
     * @param in closed together with the reader
     */
    public AnswerReader(InputStream in) throws IOException {
        parser = JSON.createParser(in);
    }

    /**
     * Advances to the next connection.
     *
     * @return false at the end of the answer; the query's statistics are known from then on
     * @throws IOException when the stream cannot be read
     * @throws ChimeraException when the input is no answer, or the answer is cut off, or the answer is incomplete
     *     because of unreadable parts of the archive
     */
    public boolean next() throws IOException {
        try {
            require(parser.nextToken() == JsonToken.START_OBJECT);
            String name = parser.nextFieldName();
            if (!"query".equals(name)) {
                connection = readConnection(name);
                return true;
            }
            parser.nextToken();
            readQuery();
            require(parser.nextToken() == JsonToken.END_OBJECT);
            // a server that fails after the last object cuts the answer off, so the end of the stream is checked too
            require(parser.nextToken() == null);
            return false;
        } catch (JsonProcessingException e) {
            throw notWhole(e);
        }
    }

    private ConnectionDirection readConnection(String firstName) throws IOException {
        long firstNs = 0;
        long lastNs = 0;
        long count = 0;
        String source = null;
        String destination = null;
        int sourcePort = 0;
        int destinationPort = 0;
        int protocol = 0;
        for (String name = firstName; name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "first_ns" -> firstNs = parser.getLongValue();
                case "last_ns" -> lastNs = parser.getLongValue();
                case "packets" -> count = parser.getLongValue();
                case "src" -> source = parser.getText();
                case "src_port" -> sourcePort = parser.getIntValue();
                case "dst" -> destination = parser.getText();
                case "dst_port" -> destinationPort = parser.getIntValue();
                case "protocol" -> protocol = parser.getIntValue();
                case "error" -> throw new ChimeraException(Category.ERROR, parser.getText());
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT && count > 0);
        if (source == null || destination == null) {
            throw notWhole(null);
        }
        return new ConnectionDirection(
                source, sourcePort, destination, destinationPort, protocol, firstNs, lastNs, count);
    }

    private void readQuery() throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        long damaged = 0;
        String damage = "";
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "packets" -> packets = parser.getLongValue();
                case "intervals_read" -> intervalsRead = parser.getLongValue();
                case "intervals_skipped" -> intervalsSkipped = parser.getLongValue();
                case "intervals_damaged" -> damaged = parser.getLongValue();
                case "damage" -> damage = parser.getText();
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT);
        if (damaged > 0) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The answer is incomplete because the archive is damaged: " + damaged
                            + " intervals cannot be read, the first in " + damage);
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw notWhole(null);
        }
    }

    private static ChimeraException notWhole(@Nullable Exception cause) {
        return new ChimeraException(
                Category.ERROR,
                "The answer is invalid or incomplete. Check that a recorder listens at this address.",
                cause);
    }

    /** Returns the current connection. */
    public ConnectionDirection connection() {
        return Objects.requireNonNull(connection, "There is a connection only after next() has returned true.");
    }

    /** Returns the number of packets found, as counted by the query. */
    public long packets() {
        return packets;
    }

    /** Returns the number of intervals the query read. */
    public long intervalsRead() {
        return intervalsRead;
    }

    /** Returns the number of intervals the query skipped because of the index. */
    public long intervalsSkipped() {
        return intervalsSkipped;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
