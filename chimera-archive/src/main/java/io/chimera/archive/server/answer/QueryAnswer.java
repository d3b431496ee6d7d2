package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Writes the matches of a query. One thread; the output stream stays open. */
public final class QueryAnswer {
    /** Ethernet: link type of a capture file without packets. */
    private static final int LINK_TYPE_DEFAULT = 1;

    /** Size of the file header of a capture file. */
    private static final int FILE_HEADER_BYTES = 24;

    private static final int PACKET_HEADER_BYTES = 16;

    private static final int TOLD_EVERY = 1024;
    private static final JsonFactory JSON = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private final FoundItems query;
    private final OutputStream out;
    private final Consumer<QueryProgress> told;
    private long items;

    /**
     * Creates an answer.
     *
     * @param told receives the progress periodically
     */
    public QueryAnswer(FoundItems query, OutputStream out, Consumer<QueryProgress> told) {
        this.query = query;
        this.out = out;
        this.told = told;
    }

    /**
     * Writes the whole answer.
     *
     * @param resolution resolution of times in a capture file
     * @param bytesMax maximum size of a capture file. The file ends before the first packet over the limit, and is
     *     empty if even its header does not fit. Other formats have no limit
     * @return statistics of the query
     * @throws ChimeraException when the archive cannot be read or the answer cannot be written, or a capture file would
     *     need several link types or data points
     */
    public QueryProgress write(AnswerFormat format, Resolution resolution, long bytesMax) {
        try {
            switch (format) {
                case PCAP -> pcap(packets(), resolution, bytesMax);
                case JSON -> json();
                case CONNECTIONS -> connections(packets());
                case TEXT -> text();
                case COUNT -> count();
                case PACKETS -> PeerParts.ofPackets(out).write(packets(), this::tell);
                case POINTS -> PeerParts.ofPoints(out).write(points(), this::tell);
            }
            out.flush();
        } catch (IOException | CaptureException e) {
            throw new ChimeraException(Category.ERROR, "The answer cannot be written: " + e.getMessage(), e);
        }
        QueryProgress progress = query.progress();
        told.accept(progress);
        return progress;
    }

    private boolean next() {
        tell();
        return query.next();
    }

    private void tell() {
        if (++items % TOLD_EVERY == 0) {
            told.accept(query.progress());
        }
    }

    private FoundPackets packets() {
        if (query instanceof FoundPackets packets) {
            return packets;
        }
        throw noPackets();
    }

    private FoundPoints points() {
        if (query instanceof FoundPoints points) {
            return points;
        }
        throw noPoints();
    }

    /** Error for a request for data points from a stream of packets. */
    public static ChimeraException noPoints() {
        return new ChimeraException(Category.WARN, "The stream holds packets, not data points.");
    }

    /** Error for a request for data points in a format of packets. */
    public static ChimeraException noPackets() {
        return new ChimeraException(
                Category.WARN,
                "Data points cannot be written as a capture file or as connections. Use json, text or count.");
    }

    private AnswerLine line() {
        if (query instanceof FoundPoints points) {
            return new PointLine(points);
        }
        return new PacketLine(packets());
    }

    private void pcap(FoundPackets packets, Resolution resolution, long bytesMax) {
        long left = bytesMax - FILE_HEADER_BYTES;
        if (left < 0) {
            return;
        }
        boolean isThere = next();
        int linkType = isThere ? packets.packet().linkType() : LINK_TYPE_DEFAULT;
        try (PcapWriter writer =
                PcapWriter.to(Channels.newChannel(new Unclosed(out)), "answer", linkType, resolution)) {
            for (; isThere; isThere = next()) {
                PacketInterval packet = packets.packet();
                if (packet.linkType() != linkType) {
                    throw new ChimeraException(
                            Category.ERROR,
                            "A capture file holds one link type only, but the answer has link types " + linkType
                                    + " and "
                                    + packet.linkType() + " from " + PacketLine.time(packet.timeNs())
                                    + " on. Query one stream, or a shorter time range.");
                }
                left -= PACKET_HEADER_BYTES + packet.captured();
                if (left < 0) {
                    return;
                }
                writer.write(packet.timeNs(), packet.buffer(), packet.offset(), packet.captured(), packet.length());
            }
        }
    }

    private void json() throws IOException {
        AnswerLine line = line();
        try (JsonGenerator generator = JSON.createGenerator(out)) {
            generator.setRootValueSeparator(null);
            while (next()) {
                line.json(generator);
                generator.writeRaw('\n');
            }
            end(generator);
        }
    }

    private void end(JsonGenerator into) throws IOException {
        into.writeStartObject();
        into.writeFieldName("query");
        progress(query.progress(), into);
        into.writeEndObject();
        into.writeRaw('\n');
    }

    private void connections(FoundPackets packets) throws IOException {
        Connections connections = new Connections();
        while (next()) {
            connections.add(packets.packet());
        }
        try (JsonGenerator generator = JSON.createGenerator(out)) {
            generator.setRootValueSeparator(null);
            for (ConnectionDirection connection : connections.list()) {
                generator.writeStartObject();
                generator.writeNumberField("first_ns", connection.firstNs());
                generator.writeNumberField("last_ns", connection.lastNs());
                generator.writeNumberField("packets", connection.packets());
                generator.writeStringField("src", connection.source());
                generator.writeNumberField("src_port", connection.sourcePort());
                generator.writeStringField("dst", connection.destination());
                generator.writeNumberField("dst_port", connection.destinationPort());
                generator.writeNumberField("protocol", connection.protocol());
                generator.writeEndObject();
                generator.writeRaw('\n');
            }
            end(generator);
        }
    }

    private void text() throws IOException {
        AnswerLine line = line();
        while (next()) {
            out.write((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void count() throws IOException {
        boolean isThere = true;
        while (isThere) {
            isThere = next();
        }
        try (JsonGenerator generator = JSON.createGenerator(out)) {
            progress(query.progress(), generator);
            generator.writeRaw('\n');
        }
    }

    /** Formats an error as a JSON object. */
    public static byte[] error(String why) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(bytes)) {
            generator.writeStartObject();
            generator.writeStringField("error", why);
            generator.writeEndObject();
            generator.writeRaw('\n');
        } catch (IOException e) {
            throw new IllegalStateException("Writing to memory cannot fail.", e);
        }
        return bytes.toByteArray();
    }

    private void progress(QueryProgress progress, JsonGenerator into) throws IOException {
        String kind = query instanceof FoundPoints ? ArchiveStream.POINTS : ArchiveStream.PACKETS;
        into.writeStartObject();
        into.writeNumberField(kind, progress.found());
        into.writeNumberField(kind + "_looked_at", progress.looked());
        if (query instanceof FoundPackets) {
            into.writeNumberField("packets_not_asked", progress.unasked());
        }
        into.writeNumberField("streams", progress.streams());
        into.writeNumberField("intervals_read", progress.intervals());
        into.writeNumberField("intervals_skipped", progress.skipped());
        into.writeNumberField("intervals_gone", progress.gone());
        into.writeNumberField("intervals_damaged", progress.damaged());
        into.writeNumberField("data_bytes", progress.dataBytes());
        into.writeNumberField("index_bytes", progress.indexBytes());
        into.writeNumberField("index_reads", progress.indexReads());
        if (progress.damaged() > 0) {
            into.writeStringField("damage", progress.damage());
        }
        if (query.nodes().isPresent()) {
            nodes(query.nodes().get(), into);
        }
        into.writeEndObject();
    }

    /** Returns an empty string for an open bound. */
    private static String bound(long ns) {
        return ns == Long.MIN_VALUE || ns == Long.MAX_VALUE ? "" : PacketLine.time(ns);
    }

    private static void nodes(NodeReport report, JsonGenerator into) throws IOException {
        into.writeNumberField("nodes", report.nodes());
        into.writeNumberField("nodes_asked", report.asked());
        into.writeNumberField("nodes_skipped", report.skipped());
        into.writeNumberField("index_nodes", report.indexNodes());
        into.writeArrayFieldStart("index_nodes_failed");
        for (String id : report.indexNodesFailed()) {
            into.writeString(id);
        }
        into.writeEndArray();
        into.writeArrayFieldStart("nodes_absent");
        for (NodeReport.Absent absent : report.absent()) {
            into.writeStartObject();
            into.writeStringField("node", absent.id());
            into.writeStringField("after", bound(absent.afterNs()));
            into.writeStringField("before", bound(absent.beforeNs()));
            into.writeStringField("why", absent.why());
            into.writeEndObject();
        }
        into.writeEndArray();
    }

    /** Forwards writes to a stream, and does not close the stream. */
    private static final class Unclosed extends OutputStream {
        private final OutputStream out;

        private Unclosed(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }
    }
}
