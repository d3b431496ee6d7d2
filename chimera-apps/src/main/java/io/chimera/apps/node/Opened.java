package io.chimera.apps.node;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/** What was opened one upon the other, closed in the opposite order; also when opening stopped half-way. One thread. */
final class Opened implements AutoCloseable {
    private final ErrorHandler errors;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Nothing opened yet; the handler hears of what fails to close. */
    Opened(ErrorHandler errors) {
        this.errors = errors;
    }

    /** Keeps something to be closed. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            CloseHelper.close(errors, opened.pop());
        }
    }
}
