package io.chimera.node.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    @Test
    void handsOutEachPortOnce() {
        FreePorts ports = new FreePorts(50);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            seen.add(ports.next());
        }

        assertThat(seen).hasSize(50).allMatch(address -> address.matches("127\\.0\\.0\\.1:\\d+"));
        assertThatThrownBy(ports::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void handsOutConsecutivePorts() {
        FreePorts ports = new FreePorts(200);
        int first = port(ports.first(5));

        assertThat(port(ports.next())).isGreaterThanOrEqualTo(first + 5);
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }
}
