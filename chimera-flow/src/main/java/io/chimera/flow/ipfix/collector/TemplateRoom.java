package io.chimera.flow.ipfix.collector;

import java.util.concurrent.atomic.AtomicInteger;

/** Budget for the templates of all exporters of one input. Thread-safe. */
final class TemplateRoom {
    private final int templatesMax;
    private final AtomicInteger used = new AtomicInteger();

    TemplateRoom(int templatesMax) {
        this.templatesMax = templatesMax;
    }

    /** Claims room for one template; false at the limit. */
    boolean take() {
        if (used.incrementAndGet() > templatesMax) {
            used.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Releases room. */
    void giveBack(int templates) {
        used.addAndGet(-templates);
    }

    /** Number of templates held. */
    int used() {
        return used.get();
    }
}
