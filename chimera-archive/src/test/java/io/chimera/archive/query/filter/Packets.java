package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.LinkTypes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/**
 * Frames of one link type, from captures or derived from other frames; written as a capture with positions as times.
 */
public final class Packets {
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int HEADER = 24;
    private static final int CAPTURED_MAX = 65535;

    final int linkType;
    public final List<Packet> packets = new ArrayList<>();

    public static final class Packet {
        private final byte[] bytes;
        private final int length;

        /** Creates a frame with a length on the wire. */
        Packet(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        public byte[] bytes() {
            return bytes;
        }

        int length() {
            return length;
        }
    }

    Packets(int linkType) {
        this.linkType = linkType;
    }

    /** Reads a capture up to the first damage. Returns null for other file formats. */
    static Packets read(Path file) {
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (bytes.limit() < HEADER) {
            return null;
        }
        if (bytes.getInt(0) != MAGIC && bytes.getInt(0) != MAGIC_NS) {
            bytes.order(ByteOrder.LITTLE_ENDIAN);
        }
        if (bytes.getInt(0) != MAGIC && bytes.getInt(0) != MAGIC_NS) {
            return null;
        }
        Packets read = new Packets(bytes.getInt(20) & 0xFFFF);
        bytes.position(HEADER);
        try {
            while (bytes.remaining() >= 16) {
                bytes.getLong();
                int captured = bytes.getInt();
                int length = bytes.getInt();
                if (captured < 0 || captured > CAPTURED_MAX || length < captured) {
                    break;
                }
                byte[] frame = new byte[captured];
                bytes.get(frame);
                read.packets.add(new Packet(frame, length));
            }
        } catch (BufferUnderflowException e) {
            return read;
        }
        return read;
    }

    /** Adds copies truncated at random places. */
    void addCut(Random random, int count) {
        int whole = packets.size();
        for (int i = 0; i < count && whole > 0; i++) {
            Packet packet = packets.get(random.nextInt(whole));
            int captured = random.nextInt(Math.min(packet.bytes().length, 90) + 1);
            packets.add(new Packet(Arrays.copyOf(packet.bytes(), captured), packet.length()));
        }
    }

    /** Adds copies with some changed header bytes. */
    void addDamaged(Random random, int count) {
        int whole = packets.size();
        for (int i = 0; i < count && whole > 0; i++) {
            Packet packet = packets.get(random.nextInt(whole));
            byte[] bytes = packet.bytes().clone();
            for (int changes = 1 + random.nextInt(3); bytes.length > 0 && changes > 0; changes--) {
                bytes[random.nextInt(Math.min(bytes.length, 60))] = (byte) random.nextInt(256);
            }
            packets.add(new Packet(bytes, packet.length()));
        }
    }

    /** Adds copies of Ethernet frames in VLANs, PPPoE sessions and after MPLS labels. */
    void addTagged(Random random, int count) {
        int whole = packets.size();
        for (int i = 0; i < count && whole > 0; i++) {
            Packet packet = packets.get(random.nextInt(whole));
            if (packet.bytes().length < 14) {
                continue;
            }
            boolean is6 = (packet.bytes()[12] & 0xFF) == 0x86;
            int id = random.nextInt(3);
            byte[] tags = bytes(
                    switch (random.nextInt(6)) {
                        case 0 -> new int[] {0x8100, id};
                        case 1 -> new int[] {0x88A8, id, 0x8100, 0x2000 | id};
                        case 2 -> new int[] {0x8847, 1, 0x0140 | id};
                        case 3 -> new int[] {0x8847, 1, 0x0040, 2, 0x0140};
                        case 4 -> new int[] {0x8100, id, 0x8847, 1, 0x0140};
                        default -> new int[] {0x8864, 0x1100, id, 100, is6 ? 0x57 : 0x21};
                    });
            boolean isTyped = tags[0] == (byte) 0x81 || (tags.length == 8 && tags[1] == (byte) 0xA8);
            ByteBuffer frame = ByteBuffer.allocate(packet.bytes().length + tags.length);
            frame.put(packet.bytes(), 0, 12).put(tags);
            int from = isTyped && tags[tags.length - 2] != 1 ? 12 : 14;
            frame.put(packet.bytes(), from, packet.bytes().length - from);
            byte[] bytes = Arrays.copyOf(frame.array(), frame.position());
            packets.add(new Packet(bytes, packet.length() - packet.bytes().length + bytes.length));
        }
    }

    private static byte[] bytes(int... shorts) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * shorts.length);
        for (int value : shorts) {
            bytes.putShort((short) value);
        }
        return bytes.array();
    }

    /** Converts IP and ARP frames of Ethernet to another link type. */
    Packets as(int newLinkType) {
        Packets others = new Packets(newLinkType);
        for (Packet packet : packets) {
            byte[] bytes = packet.bytes();
            boolean isIp = bytes.length > 14 && ((bytes[12] == 8 && bytes[13] == 0) || (bytes[12] & 0xFF) == 0x86);
            int header = LinkTypes.headerLength(newLinkType);
            if (bytes.length >= 14 && (isIp || header > 0)) {
                byte[] other = new byte[bytes.length - 14 + header];
                System.arraycopy(bytes, 14, other, header, bytes.length - 14);
                if (header > 0) {
                    other[LinkTypes.typeAt(newLinkType)] = bytes[12];
                    other[LinkTypes.typeAt(newLinkType) + 1] = bytes[13];
                }
                others.packets.add(new Packet(other, packet.length() - 14 + header));
            }
        }
        return others;
    }

    /** Writes a capture with the position of each packet as its time in µs. */
    void write(Path file) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                DataOutputStream data = new DataOutputStream(out)) {
            data.writeInt(MAGIC);
            data.writeInt(0x0002_0004);
            data.writeLong(0);
            data.writeInt(262144);
            data.writeInt(linkType);
            for (int i = 0; i < packets.size(); i++) {
                data.writeInt(i / 1_000_000);
                data.writeInt(i % 1_000_000);
                data.writeInt(packets.get(i).bytes().length);
                data.writeInt(packets.get(i).length());
                data.write(packets.get(i).bytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the positions of the packets in a capture derived from {@link #write}. */
    static BitSet positions(byte[] capture) {
        ByteBuffer bytes = ByteBuffer.wrap(capture);
        if (bytes.getInt(0) != MAGIC) {
            bytes.order(ByteOrder.LITTLE_ENDIAN);
        }
        BitSet positions = new BitSet();
        bytes.position(HEADER);
        while (bytes.hasRemaining()) {
            positions.set(bytes.getInt() * 1_000_000 + bytes.getInt());
            int captured = bytes.getInt();
            bytes.position(bytes.position() + 4 + captured);
        }
        return positions;
    }
}
