package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.ProcessorMember;
import java.util.List;

/**
 * Announcement of a processor.
 *
 * @param digest newest of the digests: releases with one configuration at a time read and write this field only
 */
record ProcessorZnode(
        String id,
        HexName session,
        String address,
        String http,
        boolean leaving,
        @MayBeMissing String digest,
        @MayBeMissing List<String> digests,
        @MayBeMissing List<String> storesOut) {
    static ProcessorZnode of(ProcessorMember member) {
        return new ProcessorZnode(
                member.id(),
                new HexName(member.session()),
                member.address(),
                member.http(),
                member.leaving(),
                member.digest().text(),
                Digests.texts(member.digests()),
                member.storesOut());
    }

    ProcessorMember member() throws MalformedZnodeException {
        return new ProcessorMember(
                id,
                session.value(),
                address,
                http,
                Digests.of(digests, digest),
                leaving,
                storesOut == null ? List.of() : storesOut);
    }
}
