package io.chimera.faults.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupOutageTest {
    @Test
    void seesTheLanesOfANode() {
        JsonNode status = status("""
                {"members": [{"id": "q1"}, {"id": "q3.1"}], "open": []}""");

        assertThat(GroupOutage.hasMember(status, List.of("q3", "q4"))).isTrue();
        assertThat(GroupOutage.hasMember(status, List.of("q2", "q4"))).isFalse();
    }

    @Test
    void withoutAStatusAMemberMayBeThere() {
        assertThat(GroupOutage.hasMember(status("{}"), List.of("q1"))).isTrue();
    }

    @Test
    void aCycleWithAPartOfADeadNodeWaits() {
        String members = "{\"members\": [{\"id\": \"q1\"}, {\"id\": \"q1.1\"}], \"open\": ";

        assertThat(GroupOutage.hasLostOwner(status(members + "[]}"))).isFalse();
        assertThat(GroupOutage.hasLostOwner(status(members + "[{\"owners\": [\"q1\", \"q1.1\"]}]}")))
                .isFalse();
        assertThat(GroupOutage.hasLostOwner(status(members + "[{\"owners\": [\"q1\", \"1ab\"]}]}")))
                .isTrue();
    }

    private static JsonNode status(String text) {
        return Json.read("status", text);
    }
}
