package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Status of a processor with all its lanes.
 *
 * @param id name of the processor
 * @param status the status document
 */
record ProcessorLook(String id, JsonNode status) {
    /** Queries the coordinator for the processors, and each processor. Skips a processor without an answer. */
    static List<ProcessorLook> takeAll(NodeClient client, String coordinator) throws InterruptedException {
        List<ProcessorLook> looks = new ArrayList<>();
        Set<String> asked = new HashSet<>();
        for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
            // the lanes of a processor share an address, and lane 0 with the id of the node precedes the others
            if (member.path("role").asText().equals("processor")
                    && asked.add(member.path("http").asText())) {
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
