package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;

/**
 * Status of a processor.
 *
 * @param id name of the processor
 * @param status the status document
 */
record ProcessorLook(String id, JsonNode status) {
    /** Queries the coordinator for the processors, and each processor. Skips a processor without an answer. */
    static List<ProcessorLook> takeAll(NodeClient client, String coordinator) throws InterruptedException {
        List<ProcessorLook> looks = new ArrayList<>();
        for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
            if (member.path("role").asText().equals("processor")) {
                try {
                    looks.add(new ProcessorLook(
                            member.path("id").asText(),
                            client.status(member.path("http").asText(), "processor")));
                } catch (ChimeraException e) {
                    // the node has just died, and is absent from the next view
                }
            }
        }
        return looks;
    }
}
