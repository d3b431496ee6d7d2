package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.ProcessorMember;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Announcement of a processor.
 *
 * @param digest newest of the digests: releases with one configuration at a time read and write this field only
 * @param weight weight in the distribution of shards, 0 when the conductor measures it; missing for the default
 */
record ProcessorZnode(
        String id,
        HexName session,
        String address,
        String http,
        boolean leaving,
        @MayBeMissing String digest,
        @MayBeMissing List<String> digests,
        @MayBeMissing List<String> storesOut,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Integer weight) {
    static ProcessorZnode of(ProcessorMember member) {
        return new ProcessorZnode(
                member.id(),
                new HexName(member.session()),
                member.address(),
                member.http(),
                member.leaving(),
                member.digest().text(),
                Digests.texts(member.digests()),
                member.storesOut(),
                member.weight() == ProcessorMember.WEIGHT_DEFAULT ? null : member.weight());
    }

    ProcessorMember member() throws MalformedZnodeException {
        if (weight != null && weight < 0) {
            throw new MalformedZnodeException("its weight is negative");
        }
        return new ProcessorMember(
                id,
                session.value(),
                address,
                http,
                Digests.of(digests, digest),
                leaving,
                storesOut == null ? List.of() : storesOut,
                weight == null ? ProcessorMember.WEIGHT_DEFAULT : weight);
    }
}
