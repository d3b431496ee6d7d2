package io.chimera.apps.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a processor says of itself.
 *
 * @param id its name
 * @param status as it shows it
 */
record ProcessorLook(String id, JsonNode status) {
    /** Asks the coordinator for the processors, and each of them. One that does not answer is left out. */
    static List<ProcessorLook> takeAll(NodeClient client, String coordinator) throws InterruptedException {
        List<ProcessorLook> looks = new ArrayList<>();
        for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
            if (member.path("role").asText().equals("processor")) {
                try {
                    looks.add(new ProcessorLook(
                            member.path("id").asText(),
                            client.status(member.path("http").asText(), "processor")));
                } catch (ChimeraException e) {
                    // it died a moment ago; the next view will not name it
                }
            }
        }
        return looks;
    }
}
