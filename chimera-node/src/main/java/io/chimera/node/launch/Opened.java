package io.chimera.node.launch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * Stack of opened resources. {@link #close} closes them in reverse order, also after an incomplete start. One thread.
 */
final class Opened implements AutoCloseable {
    private final ErrorHandler errors;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Creates an empty stack; the handler receives errors from close. */
    Opened(ErrorHandler errors) {
        this.errors = errors;
    }

    /** Adds a resource. */
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
