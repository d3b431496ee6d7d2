package io.chimera.common.channel.netty;

/**
 * Charges the memory of one request's body to its client. Any thread.
 *
 * @param shares of the listener; null: nobody is charged
 * @param address the client's address, as {@link ClientShares} counts it
 * @param principal name of the principal; empty for none
 */
record BodyBudget(ClientShares shares, Object address, String principal) {
    /** Charges nobody. */
    static final BodyBudget NONE = new BodyBudget(null, "", "");

    /** Reserves bytes; false when the address or the principal has no share left for them. */
    boolean reserve(long bytes) {
        if (shares == null) {
            return true;
        }
        if (!shares.reserve(address, bytes)) {
            return false;
        }
        if (!principal.isEmpty() && !shares.reserve(principal, bytes)) {
            shares.release(address, bytes);
            return false;
        }
        return true;
    }

    void release(long bytes) {
        if (shares == null || bytes == 0) {
            return;
        }
        shares.release(address, bytes);
        if (!principal.isEmpty()) {
            shares.release(principal, bytes);
        }
    }

    /** Bytes that one client may hold. */
    long bytesMax() {
        return shares == null ? Long.MAX_VALUE : shares.bytesMax();
    }
}
