package io.chimera.node.dataset.worker;

import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.dataset.cluster.JobOrder;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.job.JobException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * The definition of a job as the members of a cluster see it: text without secrets and without references to files and
 * variables, which mean nothing, or too much, on another machine.
 */
public final class ClusterDefinition {
    private static final String FILE = "file:";

    private ClusterDefinition() {}

    /**
     * Reads and checks a definition.
     *
     * @param name name of the job
     * @param text the definition
     * @throws JobException when the definition is wrong, or not allowed on a cluster: key, reason and remedy
     */
    public static JobConfig parse(String name, String text) throws JobException {
        if (text.getBytes(StandardCharsets.UTF_8).length > JobOrder.DEFINITION_MAX) {
            throw new JobException(
                    "the definition is longer than " + JobOrder.DEFINITION_MAX
                            + " bytes; name the objects with patterns",
                    null);
        }
        if (text.contains("${")) {
            throw new JobException(
                    "the definition has a reference ${…}; a job of a cluster names credentials of the nodes with"
                            + " source.credentials, and stores of their configuration",
                    null);
        }
        JobConfig config;
        try {
            config = ConfigLoader.parseLiterally(name, text, JobConfig.class);
        } catch (ConfigException e) {
            throw new JobException(String.valueOf(e.getMessage()), e);
        }
        if (!config.name().equals(name)) {
            throw new JobException("the definition has the name " + config.name(), null);
        }
        SourceRules.checkSecrets(config.source());
        checkStores(config.stores());
        if (!config.copies().folder().toString().isEmpty()) {
            throw new JobException(
                    "copies.folder is " + config.copies().folder()
                            + "; on a cluster the copies are where datasets.copies of the nodes says: remove the key",
                    null);
        }
        return config;
    }

    /**
     * Returns whether two orders give the same rows: they differ at most in keys without an effect on the rows.
     *
     * @param one order of a job
     * @param other another order with the same name
     * @param mayDifferInMemory whether the plan of the job has its memory
     */
    public static boolean haveSameRows(JobOrder one, JobOrder other, boolean mayDifferInMemory) {
        try {
            JobConfig first = parse(one.id().name(), one.definition());
            JobConfig second = parse(one.id().name(), other.definition());
            return (mayDifferInMemory || first.memory().equals(second.memory()))
                    && ConfigWriter.yaml(second.withResourcesOf(first)).equals(ConfigWriter.yaml(first));
        } catch (JobException e) {
            return false; // of another build
        }
    }

    private static void checkStores(Map<String, StoreConfig> stores) throws JobException {
        for (Map.Entry<String, StoreConfig> store : stores.entrySet()) {
            StoreConfig config = store.getValue();
            if (!config.type().equals(StoreConfig.KAIROSDB)
                    || config.tls() != null
                    || config.url().contains("@")) {
                throw new JobException(
                        "stores." + store.getKey()
                                + " is not of type kairosdb, or has certificates or credentials; a job of a cluster"
                                + " uses such a store by its name in the configuration of the nodes",
                        null);
            }
        }
    }

    private static String absolute(String address, Path folder) {
        if (!address.startsWith(FILE)) {
            return address;
        }
        String path = address.substring(FILE.length());
        return FILE
                + folder.resolve(path.startsWith("///") ? path.substring(2) : path)
                        .normalize();
    }

    /**
     * Returns the definition for a cluster: with an absolute path of the source, and the value of each key, so that
     * equal jobs have equal texts.
     *
     * @param config the job
     * @param folder folder of the job's file, for a relative path of the source
     * @throws IOException when the job is not allowed on a cluster: key, reason and remedy
     */
    public static String text(JobConfig config, Path folder) throws IOException {
        SourceConfig source = config.source();
        SourceRules.checkSecrets(source);
        JobConfig absolute = new JobConfig(
                config.name(),
                new SourceConfig(
                        absolute(source.url(), folder),
                        source.endpoint(),
                        source.region(),
                        "",
                        "",
                        "",
                        source.credentials(),
                        source.replicas().stream()
                                .map(address -> absolute(address, folder))
                                .toList()),
                config.objects(),
                config.format(),
                config.window(),
                config.split(),
                config.workers(),
                config.memory(),
                config.onBadSplit(),
                config.rejects(),
                config.pipelines(),
                config.stores(),
                config.strategy(),
                config.copies(),
                config.prices(),
                config.limits());
        String text = ConfigWriter.yaml(absolute);
        parse(config.name(), text);
        return text;
    }
}
