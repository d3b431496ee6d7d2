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

/** Tracks every Netty buffer during a test class, and fails the class for a buffer dropped without a release. */
public final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

    static {
        // Must precede the first buffer, because Netty requests its detector only once.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            @Deprecated // but abstract, without an alternative
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

    /** Collects dropped buffers and triggers the detector, which reports leaks while tracking the next buffer. */
    @SuppressWarnings("SystemGc") // leaks are visible only after a collection
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
