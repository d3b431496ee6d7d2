package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.flow.packet.PacketTuple;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Formats one packet as JSON or text. One thread. */
final class PacketLine implements AnswerLine {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final Map<Integer, String> PROTOCOLS =
            Map.of(1, "icmp", 6, "tcp", 17, "udp", 47, "gre", 50, "esp", 58, "icmp6", 132, "sctp");

    private final FoundPackets query;
    private final DecodedPacket decoded = new DecodedPacket();
    private final PacketTuple tuple = decoded.tuple();

    PacketLine(FoundPackets query) {
        this.query = query;
    }

    @Override
    public void json(JsonGenerator into) throws IOException {
        PacketInterval packet = query.packet();
        into.writeStartObject();
        into.writeStringField("time", time(packet.timeNs()));
        into.writeStringField("stream", query.stream());
        into.writeNumberField("link_type", packet.linkType());
        into.writeNumberField("captured", packet.captured());
        into.writeNumberField("length", Integer.toUnsignedLong(packet.length()));
        if (decoded.decode(packet)) {
            into.writeStringField("src", decoded.source());
            into.writeStringField("dst", decoded.destination());
            into.writeNumberField("protocol", tuple.protocol());
            if (decoded.hasPorts()) {
                into.writeNumberField("src_port", tuple.sourcePort());
                into.writeNumberField("dst_port", tuple.destinationPort());
            }
            if (decoded.isTcp()) {
                into.writeNumberField("tcp_flags", tuple.tcpFlags());
            }
            if (tuple.vlan() != 0) {
                into.writeNumberField("vlan", tuple.vlan());
            }
        }
        into.writeEndObject();
    }

    @Override
    public String text() {
        PacketInterval packet = query.packet();
        StringBuilder line = new StringBuilder(120);
        line.append(time(packet.timeNs())).append(' ').append(query.stream()).append(' ');
        if (decoded.decode(packet)) {
            line.append(end(decoded.source(), tuple.sourcePort())).append(" > ");
            line.append(end(decoded.destination(), tuple.destinationPort())).append(' ');
            line.append(PROTOCOLS.getOrDefault(tuple.protocol(), "protocol " + tuple.protocol()));
            line.append(decoded.isTcp() ? flags(tuple.tcpFlags()) : "");
        } else {
            line.append("not IP");
        }
        return line.append(", ")
                .append(Integer.toUnsignedLong(packet.length()))
                .append(" bytes")
                .toString();
    }

    private String end(String address, int port) {
        if (!decoded.hasPorts()) {
            return address;
        }
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }

    private static String flags(int flags) {
        StringBuilder text = new StringBuilder(" [");
        String letters = "FSRPAUEC";
        for (int i = 0; i < letters.length(); i++) {
            if ((flags >> i & 1) != 0) {
                text.append(letters.charAt(i));
            }
        }
        return text.append(']').toString();
    }

    /** Formats a time as RFC 3339, with nanoseconds. */
    static String time(long ns) {
        return Instant.ofEpochSecond(Math.floorDiv(ns, NS_PER_SECOND), Math.floorMod(ns, NS_PER_SECOND))
                .toString();
    }
}
