package io.chimera.archive.query.condition;

/** Link types supported by filters; the numbers match pcap files. */
public final class LinkTypes {
    public static final int ETHERNET = 1;
    public static final int RAW = 101;
    public static final int LINUX_SLL = 113;
    public static final int IPV4 = 228;
    public static final int IPV6 = 229;
    public static final int LINUX_SLL2 = 276;

    /** BSD numbers for {@link #RAW}. */
    private static final int RAW_BSD = 12;

    private static final int RAW_OPENBSD = 14;

    private LinkTypes() {}

    public static boolean isKnown(int linkType) {
        return switch (linkType) {
            case ETHERNET, RAW, RAW_BSD, RAW_OPENBSD, LINUX_SLL, IPV4, IPV6, LINUX_SLL2 -> true;
            default -> false;
        };
    }

    /** Maps all numbers of a link type to one. */
    public static int of(int linkType) {
        return linkType == RAW_BSD || linkType == RAW_OPENBSD ? RAW : linkType;
    }

    /** Returns the length of the link header. */
    public static int headerLength(int linkType) {
        return switch (linkType) {
            case ETHERNET -> 14;
            case LINUX_SLL -> 16;
            case LINUX_SLL2 -> 20;
            default -> 0;
        };
    }

    /** Returns the index of the Ethernet type; also 0 for link types without an Ethernet type. */
    public static int typeAt(int linkType) {
        return switch (linkType) {
            case ETHERNET -> 12;
            case LINUX_SLL -> 14;
            default -> 0;
        };
    }

    public static String name(int linkType) {
        return switch (linkType) {
            case ETHERNET -> "Ethernet";
            case RAW -> "raw IP";
            case LINUX_SLL, LINUX_SLL2 -> "Linux cooked frames";
            case IPV4 -> "raw IPv4";
            case IPV6 -> "raw IPv6";
            default -> "link type " + linkType;
        };
    }
}
