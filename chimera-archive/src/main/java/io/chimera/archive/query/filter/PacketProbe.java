package io.chimera.archive.query.filter;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.Condition.All;
import io.chimera.archive.query.condition.Condition.Any;
import io.chimera.archive.query.condition.Condition.Constant;
import io.chimera.archive.query.condition.Condition.Hinted;
import io.chimera.archive.query.condition.Condition.Shift;
import io.chimera.archive.query.condition.Direction;
import io.chimera.archive.query.condition.Hint;
import io.chimera.archive.query.condition.Hint.Carried;
import io.chimera.archive.query.condition.Hint.Ports;
import io.chimera.archive.query.key.PacketKeys;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Derives the probe of a condition. The keys of every matching packet match the probe, and as few other packets as the
 * keys allow. Terms without a key, and everything under a {@code not}, match all intervals.
 */
final class PacketProbe {
    /** Maximum number of single probes for ports or nets; larger ranges match all intervals. */
    private static final int ALTERNATIVES_MAX = 16;

    private static final int ALTERNATIVE_BITS = 4;
    private static final int MAPPED_BITS = 96;

    /** Descriptions of the probe's parts; null if not needed. */
    private final @Nullable Map<Probe, String> names;

    private PacketProbe(@Nullable Map<Probe, String> names) {
        this.names = names;
    }

    static Probe of(Condition condition) {
        return new PacketProbe(null).of(condition, Set.of());
    }

    /** Collects descriptions of the parts of a condition's probe. */
    static void name(Condition condition, Map<Probe, String> names) {
        new PacketProbe(names).of(condition, Set.of());
    }

    private Probe named(Probe probe, Supplier<String> name) {
        if (names != null) {
            names.computeIfAbsent(probe, any -> name.get());
        }
        return probe;
    }

    /**
     * Returns the probe of a part of a condition.
     *
     * @param shifts tags, labels and sessions required by other parts; hints are valid only after them
     */
    private Probe of(Condition condition, Set<Integer> shifts) {
        if (condition instanceof All all) {
            return ofAll(all, shifts);
        }
        if (condition instanceof Any any) {
            return Probe.or(any.parts().stream().map(part -> of(part, shifts)).toList());
        }
        if (condition instanceof Hinted hinted) {
            Probe outer = isValid(hinted.hint(), shifts) ? of(hinted.hint()) : Probe.all();
            return hinted.part() instanceof Hinted inner ? Probe.and(outer, of(inner, shifts)) : outer;
        }
        if (condition instanceof Constant constant && !constant.isTrue()) {
            return Probe.or(List.of());
        }
        return Probe.all();
    }

    private static boolean isValid(Hint hint, Set<Integer> shifts) {
        if (hint.shifts() > PacketKeys.SHIFTS_MAX) {
            return false; // packet keys do not cover this place
        }
        for (int i = 1; i <= hint.shifts(); i++) {
            if (!shifts.contains(i)) {
                return false;
            }
        }
        return true;
    }

    private Probe ofAll(All all, Set<Integer> shifts) {
        Set<Integer> known = new HashSet<>(shifts);
        List<Hint> hints = new ArrayList<>();
        for (Condition part : all.parts()) {
            collect(part, known, hints);
        }
        List<Probe> probes = new ArrayList<>();
        for (Condition part : all.parts()) {
            probes.add(of(part, known));
        }
        hints.removeIf(hint -> !isValid(hint, known));
        probes.add(tuple(hints));
        probes.add(opening(hints));
        return Probe.and(probes);
    }

    /** Returns the probe for hosts that open or accept a connection. */
    private Probe opening(List<Hint> hints) {
        boolean isTcp = hints.stream()
                .anyMatch(hint -> hint instanceof Carried carried && carried.protocol() == PacketKeys.TCP);
        if (!isTcp || hints.stream().noneMatch(Hint.Opening.class::isInstance)) {
            return Probe.all();
        }
        List<Probe> probes = new ArrayList<>();
        for (Hint hint : hints) {
            if (hint instanceof Hint.Address address && address.bits() == 2 * Long.SIZE) {
                probes.add(named(
                        Probe.exact(PacketKeys.OPENING, PacketKeys.hash(address.high(), address.low())),
                        () -> "opening " + text(address.high(), address.low())));
            }
        }
        return Probe.and(probes);
    }

    /** Collects the shifts and hints implied by a part. */
    private static void collect(Condition part, Set<Integer> shifts, List<Hint> hints) {
        if (part instanceof All all) {
            all.parts().forEach(inner -> collect(inner, shifts, hints));
        } else if (part instanceof Hinted hinted) {
            hints.add(hinted.hint());
            collect(hinted.part(), shifts, hints);
        } else if (part instanceof Shift shift) {
            shifts.add(shift.ordinal());
        }
    }

    private Probe of(Hint hint) {
        if (hint instanceof Hint.Address address) {
            return address(address);
        }
        if (hint instanceof Ports ports) {
            return ports(ports);
        }
        if (hint instanceof Hint.Opening) {
            return Probe.all(); // combined with the address hints, see opening()
        }
        Carried carried = (Carried) hint;
        long protocol = Integer.toUnsignedLong(carried.protocol());
        return named(Probe.range(PacketKeys.PROTOCOL, protocol, protocol), () -> "protocol " + protocol);
    }

    private Probe ports(Ports ports) {
        int count = ports.last() - ports.first() + 1;
        return alternatives(
                count,
                i -> named(
                        Probe.exact(PacketKeys.PORT, PacketKeys.port(ports.first() + i)),
                        () -> "port " + (ports.first() + i)));
    }

    private Probe address(Hint.Address address) {
        long high = address.high();
        long low = address.low();
        if (address.bits() == 2 * Long.SIZE) {
            return named(
                    Probe.exact(PacketKeys.ADDRESS, PacketKeys.hash(high, low)), () -> "address " + text(high, low));
        }
        boolean is4 = PacketKeys.is4(high, low) && address.bits() >= MAPPED_BITS;
        if (high == 0 && !is4 && address.bits() <= MAPPED_BITS) {
            return Probe.all(); // includes IPv4 addresses, whose nets have other keys
        }
        int narrow = is4 ? PacketKeys.NARROW4 : PacketKeys.NARROW6;
        int wide = is4 ? PacketKeys.WIDE4 : PacketKeys.WIDE6;
        int bits = address.bits() >= narrow - ALTERNATIVE_BITS ? narrow : wide;
        int missing = Math.max(0, bits - address.bits());
        if (missing > ALTERNATIVE_BITS) {
            return Probe.all();
        }
        return alternatives(1 << missing, i -> {
            long step = (long) i << ((Long.SIZE - bits) & (Long.SIZE - 1));
            long netHigh = bits <= Long.SIZE ? high | step : high;
            long netLow = bits <= Long.SIZE ? low : low | step;
            return named(
                    Probe.exact(PacketKeys.NET, PacketKeys.net(netHigh, netLow, bits)),
                    () -> "net " + text(netHigh, netLow) + "/" + (is4 ? bits - MAPPED_BITS : bits));
        });
    }

    private static Probe alternatives(int count, IntFunction<Probe> alternative) {
        if (count > ALTERNATIVES_MAX) {
            return Probe.all();
        }
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            probes.add(alternative.apply(i));
        }
        return Probe.or(probes);
    }

    /** Returns the combined key if both addresses, both ports and the protocol are known. */
    private Probe tuple(List<Hint> hints) {
        Hint.Address source = null;
        Hint.Address destination = null;
        int sourcePort = -1;
        int destinationPort = -1;
        int protocol = -1;
        for (Hint hint : hints) {
            if (hint instanceof Hint.Address address && address.bits() == 2 * Long.SIZE) {
                source = isOf(address.direction(), Direction.SOURCE) ? address : source;
                destination = isOf(address.direction(), Direction.DESTINATION) ? address : destination;
            } else if (hint instanceof Ports ports && ports.first() == ports.last()) {
                sourcePort = isOf(ports.direction(), Direction.SOURCE) ? ports.first() : sourcePort;
                destinationPort = isOf(ports.direction(), Direction.DESTINATION) ? ports.first() : destinationPort;
            } else if (hint instanceof Carried carried) {
                protocol = carried.protocol();
            }
        }
        if (source == null || destination == null || sourcePort < 0 || destinationPort < 0 || protocol < 0) {
            return Probe.all();
        }
        long from = PacketKeys.hash(source.high(), source.low());
        long to = PacketKeys.hash(destination.high(), destination.low());
        String text = text(source.high(), source.low()) + " port " + sourcePort + " to "
                + text(destination.high(), destination.low()) + " port " + destinationPort + " by protocol " + protocol;
        return named(
                Probe.exact(PacketKeys.TUPLE, PacketKeys.tuple(from, to, sourcePort, destinationPort, protocol)),
                () -> text);
    }

    private static String text(long high, long low) {
        byte[] bytes =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low).array();
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of 16 bytes is always valid.", e);
        }
    }

    private static boolean isOf(Direction direction, Direction end) {
        return direction == end || direction == Direction.BOTH;
    }
}
