package io.chimera.dataset.definition;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.List;
import java.util.stream.Stream;

/** Source of a data set. Values of keys that are secrets are never printed. */
public record SourceConfig(
        @Doc("Address: a folder (file:PATH, relative to the file of the job), https://HOST/PATH, s3:BUCKET/PREFIX, or"
                + " root://HOST//PATH.")
        String url,

        @Doc("Address of the S3 server, e.g. https://s3.eu-central-1.amazonaws.com.") @Default
        String endpoint,

        @Doc("Region of the S3 server.") @Default("us-east-1")
        String region,

        @Doc("User of the HTTP server, or access key of S3.") @Default
        String user,

        @Doc("Password of the HTTP server, or secret key of S3.") @Default
        String password,

        @Doc("Token: a bearer token of HTTP, a session token of S3.") @Default
        String token,

        @Doc("Name of credentials that the operator gave the nodes of a cluster, in place of user, password and token;"
                + " see datasets.credentials of the configuration.")
        @Default
        String credentials,

        @Doc("Addresses with the same objects, read besides url with the same endpoint and credentials; at most 15.")
        @Default
        List<String> replicas) {
    private static final int REPLICAS_MAX = 15;

    /** Checks the number of replicas. */
    public SourceConfig {
        new Requirements()
                .that(
                        replicas.size() <= REPLICAS_MAX
                                && !replicas.contains(url)
                                && replicas.stream().distinct().count() == replicas.size(),
                        "replicas",
                        replicas.size() + " addresses",
                        "at most 15 addresses, each one once, and without url")
                .check();
    }

    /** Returns a source for each address: url first, then the replicas. */
    public List<SourceConfig> each() {
        return Stream.concat(Stream.of(url), replicas.stream())
                .map(address ->
                        new SourceConfig(address, endpoint, region, user, password, token, credentials, List.of()))
                .toList();
    }

    /** Returns the values without the secrets. */
    @Override
    public String toString() {
        return "SourceConfig[url=" + place() + ", endpoint=" + endpoint + "]";
    }

    /** Returns the address without query, which may have credentials. */
    public String place() {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }
}
