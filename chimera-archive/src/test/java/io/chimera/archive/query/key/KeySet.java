package io.chimera.archive.query.key;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.filter.Packets.Packet;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/** Set of added keys, searched without an index. */
public final class KeySet implements KeySink {
    private final Set<Probe> keys = new HashSet<>();
    private final Set<Token> recent = new HashSet<>();

    private record Token(long first, long second) {}

    public static KeySet of(int linkType, Packet packet) {
        KeySet set = new KeySet();
        UnsafeBuffer buffer = new UnsafeBuffer(packet.bytes());
        new PacketKeys(linkType, set).add(buffer.byteArray(), buffer.addressOffset(), packet.bytes().length);
        return set;
    }

    @Override
    public void add(int key, long hash) {
        keys.add(Probe.exact(key, hash));
    }

    @Override
    public void addRange(int key, long value) {
        keys.add(Probe.range(key, value, value));
    }

    @Override
    public boolean isRecent(long first, long second) {
        return (first | second) != 0 && !recent.add(new Token(first, second));
    }

    public void addAll(KeySet others) {
        keys.addAll(others.keys);
    }

    public boolean matches(Probe probe) {
        if (probe instanceof Probe.And and) {
            return and.probes().stream().allMatch(this::matches);
        }
        if (probe instanceof Probe.Or or) {
            return or.probes().stream().anyMatch(this::matches);
        }
        return probe == Probe.all() || keys.contains(probe);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeySet set && set.keys.equals(keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }

    @Override
    public String toString() {
        return keys.size() + " keys";
    }
}
