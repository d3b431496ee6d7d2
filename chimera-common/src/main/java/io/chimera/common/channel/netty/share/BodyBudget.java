package io.chimera.common.channel.netty.share;

/**
 * Charges the memory of one request's body to its client. Any thread.
 *
 * @param shares shares of the listener; null: no charge
 * @param address the client's address, as counted by {@link ClientShares}
 * @param principal name of the principal; empty for none
 */
public record BodyBudget(ClientShares shares, Object address, String principal) {
    /** Budget without a charge. */
    public static final BodyBudget NONE = new BodyBudget(null, "", "");

    /** Reserves bytes; returns false if the share of the address or of the principal is too small. */
    public boolean reserve(long bytes) {
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

    public void release(long bytes) {
        if (shares == null || bytes == 0) {
            return;
        }
        shares.release(address, bytes);
        if (!principal.isEmpty()) {
            shares.release(principal, bytes);
        }
    }

    /** Maximum number of bytes for one client. */
    public long bytesMax() {
        return shares == null ? Long.MAX_VALUE : shares.bytesMax();
    }
}
