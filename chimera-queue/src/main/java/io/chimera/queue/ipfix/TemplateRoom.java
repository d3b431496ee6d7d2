package io.chimera.queue.ipfix;

import java.util.concurrent.atomic.AtomicInteger;

/** Room for the templates of all exporters of one input, whichever thread hears of them. */
final class TemplateRoom {
    private final int templatesMax;
    private final AtomicInteger used = new AtomicInteger();

    /** Room for so many. */
    TemplateRoom(int templatesMax) {
        this.templatesMax = templatesMax;
    }

    /** Takes room for one template; false when there is none. */
    boolean take() {
        if (used.incrementAndGet() > templatesMax) {
            used.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Gives room back. */
    void giveBack(int templates) {
        used.addAndGet(-templates);
    }

    /** Templates that are kept. */
    int used() {
        return used.get();
    }
}
