package io.chimera.node.watch;

import java.util.Locale;

/** Role of a member that can be drained. */
enum MemberRole {
    QUEUE,
    PROCESSOR;

    /** Returns the name in the status of a coordinator. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
