package io.chimera.node.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.node.Invocation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

final class DemoEventTest {
    private final DemoEvent.Converter converter = new DemoEvent.Converter();

    @Test
    void readsEvents() {
        assertThat(converter.convert("10s=kill:p2")).isEqualTo(new DemoEvent(Duration.ofSeconds(10), true, "p2"));
        assertThat(converter.convert("500ms=start:q1")).isEqualTo(new DemoEvent(Duration.ofMillis(500), false, "q1"));
    }

    @Test
    void refusesOthers() {
        assertThatThrownBy(() -> converter.convert("kill:p2")).isInstanceOf(TypeConversionException.class);
        assertThatThrownBy(() -> converter.convert("10=kill:p2")).isInstanceOf(TypeConversionException.class);
        assertThat(Invocation.of("demo", "--at", "1s=hurt:p1").exitCode()).isEqualTo(2);
    }
}
