package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Follows every buffer of Netty during a test class, and fails the class when one was dropped without a release. */
final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    static {
        // Before Netty makes its first buffer, as it asks for its detector only once.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @Deprecated // but abstract, and there is no other
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                    Class<T> resource, int samplingInterval, long maxActive) {
                return new Recorder<>(resource, samplingInterval);
            }
        });
    }

    private static final class Recorder<T> extends ResourceLeakDetector<T> {
        Recorder(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        LEAKS.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        assertThat(leaks()).as("buffers that were not released").isEmpty();
    }

    /** Has dropped buffers collected, and the detector look at them, which it does when it follows the next buffer. */
    @SuppressWarnings("SystemGc") // what is looked for shows only after a collection
    static List<String> leaks() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        return List.copyOf(LEAKS);
    }

    static void forget() {
        LEAKS.clear();
    }
}
