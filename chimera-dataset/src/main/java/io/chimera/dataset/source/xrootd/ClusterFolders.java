package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.CollectedBody;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.AnswerText;
import io.chimera.dataset.source.xrootd.wire.FileStat;
import io.chimera.dataset.source.xrootd.wire.FolderEntry;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.ServerLocation;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Folders of a server or of a cluster. A redirector answers for one data server only; the folder of a cluster is the
 * union over all data servers. Any thread.
 */
final class ClusterFolders {
    private static final int LANE = 0;
    private static final int SERVERS_MAX = 4_096;
    private static final int LEVELS_MAX = 8;

    private final ClusterClient client;
    private final ServerAddress first;
    private final int listingBytesMax;

    ClusterFolders(ClusterClient client, ServerAddress first, int listingBytesMax) {
        this.client = client;
        this.first = first;
        this.listingBytesMax = listingBytesMax;
    }

    /** Returns the stat information of a path; null when the path does not exist. */
    @Nullable
    FileStat stat(String path) throws SourceException {
        return statAt(path, first);
    }

    private @Nullable FileStat statAt(String path, ServerAddress server) throws SourceException {
        try {
            ClusterClient.Reply reply =
                    client.ask(new PathQuestion(path, PathQuestion.Kind.STAT, CollectedBody.SMALL), server, LANE);
            return FileStat.parse(AnswerText.decode(reply.body()));
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(path + " at " + server, e);
        } catch (SourceException e) {
            checkMissing(e);
            return null;
        }
    }

    /** Returns the entries of a folder with stat information, ordered by name; empty when the folder does not exist. */
    Collection<FolderEntry> list(String folder) throws SourceException {
        Map<String, FolderEntry> entries = new TreeMap<>();
        for (ServerAddress server : servers(folder)) {
            for (FolderEntry entry : listAt(folder, server)) {
                FileStat stat = entry.stat() == null ? statAt(join(folder, entry.name()), server) : entry.stat();
                entries.merge(entry.name(), new FolderEntry(entry.name(), stat), ClusterFolders::later);
            }
        }
        return entries.values();
    }

    private static String join(String folder, String name) {
        return folder.endsWith("/") ? folder + name : folder + "/" + name;
    }

    /** The choice between replicas does not depend on the order of the servers. */
    private static FolderEntry later(FolderEntry one, FolderEntry two) {
        FileStat first = one.stat();
        FileStat second = two.stat();
        if (first == null || second == null) {
            return first == null ? two : one;
        }
        int order = Long.compare(first.modifiedSeconds(), second.modifiedSeconds());
        return order > 0 || (order == 0 && first.length() >= second.length()) ? one : two;
    }

    private Iterable<FolderEntry> listAt(String folder, ServerAddress server) throws SourceException {
        try {
            ClusterClient.Reply reply =
                    client.ask(new PathQuestion(folder, PathQuestion.Kind.LIST, listingBytesMax), server, LANE);
            return FolderEntry.decodeAll(reply.body());
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(folder + " at " + server, e);
        } catch (SourceException e) {
            checkMissing(e);
            return Set.of();
        }
    }

    private Set<ServerAddress> servers(String folder) throws SourceException {
        if (!client.isManager(first, LANE)) {
            return Set.of(first);
        }
        Set<ServerAddress> dataServers = new LinkedHashSet<>();
        Set<ServerAddress> managers = new LinkedHashSet<>(Set.of(first));
        for (int level = 0; level < LEVELS_MAX && !managers.isEmpty(); level++) {
            Set<ServerAddress> below = new LinkedHashSet<>();
            for (ServerAddress manager : managers) {
                for (ServerLocation location : locate(folder, manager)) {
                    (location.isManager() ? below : dataServers).add(location.server());
                }
            }
            if (below.size() + dataServers.size() > SERVERS_MAX) {
                throw new SourceException(
                        SourceFault.UNSUPPORTED,
                        folder + " at " + first + ": more than " + SERVERS_MAX
                                + " servers have the folder; name the files in a list");
            }
            managers = below;
        }
        return dataServers;
    }

    private Iterable<ServerLocation> locate(String folder, ServerAddress manager) throws SourceException {
        try {
            ClusterClient.Reply reply = client.ask(
                    new PathQuestion(folder, PathQuestion.Kind.LOCATE_FOLDER, listingBytesMax), manager, LANE);
            return ServerLocation.decodeAll(reply.body());
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(folder + " at " + manager, e);
        } catch (SourceException e) {
            checkMissing(e);
            return Set.of();
        }
    }

    /** Throws each failure except a missing path. */
    private static void checkMissing(SourceException failure) throws SourceException {
        if (failure.fault() != SourceFault.NOT_FOUND) {
            throw failure;
        }
    }
}
